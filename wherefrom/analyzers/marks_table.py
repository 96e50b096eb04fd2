"""What each mark (see `marks`) says for and against each language, as learned from the files of public projects.

`python -m benchmarks.guessing FOLDER --learn` writes `LANGUAGES` and `ROWS`: multinomial logistic regression on the
square roots of the counts, over fragments of 6 to 40 lines and pieces of 1 to 5 lines of 72 public clones. It holds no
text of theirs but single words that stand in at least 6 of them.
"""

from __future__ import annotations

MOST = 9
"""Times that a mark counts at most."""

SCALE, STRONGEST = 8, 12
"""A weight is a letter: `m` says nothing, `n` to `y` speak for the language by 1 / SCALE each, `l` to `a` against."""

LANGUAGES = r"""
python java javascript typescript tsx c cpp csharp go rust ruby php kotlin swift scala bash lua sql haskell
ocaml julia html css text
"""
"""The columns of `ROWS`."""

ROWS = r"""
gmlnpnllmllnlmjmhjkmpknn !
mphhhnonpklkoonmilkkmkkk !=
lqlkkjjokllknknllmllllmm != null
kiqpnijlllkojkklklllplll !==
mllmmlmlmmnjmlmmnfnmlnim "
lmllllmmllummlllkmllkmmm " "#{
lmlmmmmmmmrmmmmllmmllmmm " "#{ $
ikkjijnkjkikqjisilmkookk " "$x
llmjllmlllllslitmmllllml " "${
nmgljpnipjklljkloljpknll " "%x
llmllmlllllmkulmlmmlmmmm " "\(
klkljnokomolkkjmmlpllkll " "\x
qlkkmllplomllllmllnllmml " "{x}
lklmmllimiohkjjlljnolnio " $
lmllmnmlkllmmmlmmmmmmrmm " (
mmmlnmmmmnljnnnkmiljmlkl " )
mmkjjijionlkonokokmmmmkk " ) $
lmjlnlnjklnknlplmlkmmlll " ))
mmjlllklmknlnmnlnmmlnlmm " )) $
npoljjkmlkoloknlkmllllml " +
nllnmmllmnmkmllhoimlklkj " ,
nmmmmlkmmnlkkkmiojkikmkh " , $
jmlllllmkllmllsllmpmllmm " ->
lmjmllknkolnnllllmmllomm " .
kmllmlmmmmlmlmmmrmlmlmmm " ..
rjnmmjlmnikkjmjliljkkqlk " :
ompmokllnmlllmlmlmlllmml " : $
kmnnmknnjkkkkkllklkqlkmk " ;
kmnnmkmnkklkkkllkllqllmk " ; $
mmlmmlqmmllmmmmmmmmmmmmm " <<
kllkllmmlmrmllmmlmlmommm " =>
jklmnkkklklmjkljklkkkpkm " >
kkmmolkklkkmkllkklkllnlm " > $
ojmnminlmkoknmhlollmjknl " ]
mmlmmlllmlqmlmllkmnmllmm " ] $
lmlllllmllumllllkmllllmm " do
llllllllllumllllkmllllmm " do $
llllkllllllllllllllllpll " href
nlnokllllllmkkrmlmmllmmm " in
llllllnlmmklllkkklnnmnlo " x
lllkmllmrmlmmmlmmmmmlnmm " {
lmkllkomnjnlmiklpmllloll " }
klllllllllvmmlllkmllllml "#{
llllmlmllmsmlmllkmlllmmm "#{ $
ikkiljmjjjimqjotjllkoplk "$x
klkmklolllklllnqkllllpll "$x $
jhponjkkijjkojpsllklkjlk "${
llmmklmlllllnlorlmllllml "${ $
omniipojnjknkjkmnkjpknkj "%x
rmlmmlmmlllmlllmlmllmmmm "%x %
konjjnokokkplkjlnmlkklkk "%x ,
lmqkkrklllllnllmllmmllll "%x , $
ullkllllllklokmlklkkolli "3
vlllllllllllmlllllllmllj "3 $
llnkllllkllmjujmlmmllmmm "\(
lllllmmmllmmlrlmmmmlmmmm "\( )
mllkjpoknnnklkimnkolmkkk "\x
mmnklnolmllmmmmmmmmmmmlm "\x ; $
mllmmjlmmlljlmljnkpnlmlj "c
lllkmlllmkllmpllllolkqll "c $
onmljjommkmlllklnlnnklll "c ,
lljnqlmmolnmnllllmmlljml "c }
skjklkjrkolmmkklkmmlkmln "{x}
rlkkmllplllmmllmlnlmmmmm "{x} ,
pfmffnmkgioifngomiihnjpo #
rjhijhiiiirjhghqgjiiqjip # $
jjnjknnqkkjljrkknlkmklqj # x
mkrkkmlmmmmmmmmmmmmmmmmm # xX
kkjmklkklulollllllllllll #[
llllmsnllllllllllkllkmmk #define
ljkklromkkllkqklllllllll #endif
kklkloqolllllpkllllllmml #endif $
lllllsqllkmlllllmlllllmk #include
iikkiinjignjikjpjquijsij $
kkkllknlljlllllokqqklllk $ $
kjmhjjmllmoilllrkklkoqll $(
jlkklkkllkkkllltkrlklllj $1
klkklkllllkllllwkllkmllk $XX
lmlllllmlllmllltllllmlml $XX $
lkjkljkklklvlllllllllmlm $this
lkjkkjjllklulllmlllllmlm $this ->
iimjhhkhhkkthijuijiilrhj $x
klkllloljjmmkkltllkllril $x $
ljjkjjikklkujkmnllllmoll $x )
lkllljklllltlmlmllmmnnmm $x ,
mlkllkklmlmtlmmlmlllmlmm $x ->
mkllllllmnmrmmmmmmmlmmmm $x ;
mjlllkkllnmtllmlmmmlmllm $x ; $
ljmkkkjjlklrkllolllllpll $x =
llmkllllmlnqmmmllmmmmmmm $x [
jjmgjijjklktjpkpkrkklplk $xX
kkmikjlkkhlsknlpkplkknll $x_x
klkomkkllkkljklvkllllllk ${
pkkimjmjjkojikjmkkjplppq %
nlqiomolllkllmlmlmllmlln % 0
mmlmlmmlmmmmmmmmmmmmmqlm % }
mmmmlmmmmmnmmmmmmmmmmqlm % } $
jikiiooipoomgljnijjiiooj &
llknkqllqnmmlllmmmmmmmmm & Xx
llllllmllplllllmmmmlmmmm & mut
mmllmmlmmrmmllmmlmmmmmmm & self
kikkkppkonmkkllmkklkkqkl & x
mljknonlmnllmnlmmmmllmmm & x_x
gnnnnmnlmmlkjimphjmnnjkj &&
kkmonlnlkkklkkipklnmllll && $
mfonkihifinoffinmqjhgnlo '
nlqjlkllllmolllmmmmllmll ' "%x
lnllloplmmklmlmmllnlmlll ' "\x
kjnmkijjiiojijiomokkjmjr ' $
lhonljijjiroiihlnolkkokk ' )
nknphllllknlkkknmnklllll ' ) $
lkookkllllmnlllmlllllmnm ' ))
mlqnklmmmllmmmlmllmmmmmm ' +
nhonkhikiimoiiijmnjjinmg ' ,
lkpnlijmjilmjjjjnpkkkllh ' , $
plomhklmklkmkkknjlmllmlo ' :
lkoinnillllnlllmlpllllnk ' ;
ljphmljklllplllllplmmmnk ' ; $
lmkkllllmlprmmmllllmlmmm ' =>
nlmnmlkklloqllklnllllmml ' ]
mmllmmmmmmrmmmmllmlmmmmm ' do
lmmqimmlllqllllmommmmlmm ' }
llmkimmmlkomlhkjmnnnmkkl 'c
klqkklllllnlmllllnplkmmm 'c $
mlmlmnlmmlmlljmlnkllnlll 'c )
mklommlnmmknmkllklmlnmml 'c ) $
nlmmjmmlllonlkmllmmlmlml 'c ,
lmlllllllrlmkklmmmlrmmlm 'x
mmmmmmmmmmmlmmmjmlmlnkki (
kmnmopmmiklpjknlklkmklll ( !
mnlmmmlmnmnkolmjnhmjmiki ( "
onknlmlmklkmmollnljmllll ( "c
nllnnjkmmmlnnlnmipgijflg ( $
mlklmkklmlmrmmmmmmmmmmmm ( $this
lkmkjjiklmkukllnllklnmlm ( $x
kiijkrojnrnkjmklkkkkklll ( &
mioomjiiiinoiihjlojkjmmj ( '
lmmkmnjlllpmlkmlnlklnlll ( 'c
mjjklopkomollljlllnmkmlk ( *
mnkllnklmlmllmmmmmmmmmql ( --
lkjkkkllkkllivjmkmollnql ( .
mlnlklmnjmllmlnjnojkmlnj ( 0
knklmknnlllmmllmmlllomnm ( 0.0
lllllllmllrmlllmlmlmlmnl ( :x
lllllrklmmmlmlmmmmmllmmm ( L
mplnklkkllmllklmlonnlmml ( String
lmljlnnjjlnlnijknpiknllo ( XX
mokkfnnolllkmlojkjoonjji ( Xx
nknonjmlkmmokmjlklklmlll ( [
liojkmkkjnkkiqqlnllnklll ( _
kjloknpoklkmklmkkmlmmmll ( _x
ljpollllnklljllllmmolmml ( `
nkmmlnmlllkkmlmlmllnmmll ( a
nlpollmllllmmllmlmmmmmmm ( app
mlnpjmlmmpmmlllmmmmmmmmm ( async
limmoopkkklkklklnlolllll ( const
nllnlqkloklllllmmmlmlmmm ( ctx
mklllslmmmmlmmmmmmmmmmmm ( curl
mklmkojmknnlnnklmlllollm ( e
mlsklllmmmmmlmnmmmmmmmmm ( elem
mllkomlmloknlnlmmllmmmmm ( false
msklllklllmllllmmmmmmmmm ( final
lllmmlmlmllmllmmmmkqlmmm ( fun
lkqkklkllklnllllqllolomm ( function
llhlrmnmmmlmklpmmmmmlmmm ( h
lnnljnkkkllknknlloknnmlm ( i
lqgikmqollllkllllllmlllm ( int
lmnnlkmkmloklkolllllmlll ( key
ljpqljilllmllolmlmlnmmmm ( let
llllllmmllkmtkkmlmmmlmmm ( libs
nnnillokmnmllkmnmmlmmmmm ( n
mmnkmklmmmlllommmommmmlm ( name
kpnkjknolklnjlpmmllllmmm ( new
lololklmlllnllnlllnllmmm ( null
mmqlmmlmnmmmlmmmlmmmmmmm ( req
mlnllpllmllllolmmmllmmmm ( result
mlklkmompmllklnmnnmllmll ( s
rkkjkonjknmmjmjlnlllklll ( self
lmjqlmllmmlmmnlmlmmmnmmm ( size
klnilmkrllmokollollllmmm ( string
mlllmrkmmlmmmmmmmmmmmmmm ( struct
mkmkkmmlqkmlkkmlmlllklml ( t
kmommjknmlllokkmlmllllmm ( this
kmmnlllklolnkjpmmllnlmlm ( true
lkqnkllolllllmlmlmllnmmm ( typeof
mjlklsolmlmlmmmmmmmmlmmm ( void
mmmlmmmnmnmhmmnimkmlnpjj ( x
mmmmmmllllkimnmilkokljkj ( xX
mmlmlmmlllljmnmilnllljlk ( x_x
ljoopjojignkiijlolknkokl ( {
lknopklkjknljijlnllllpll ( { $
kommpmnnjjjkhlonnknljllk ((
lnnoplklljllklkllmllmmmm (( )
nnmmmknlmnfnommmmmjmmggg ()
nlnoggjlomemooohnjilojii () $
kpliiipnlpinnjlkljkpnkkl () )
lmnkjllkookmmknlmllpmkll () ) $
mojllkommolmmllmklllmmmm () ))
lnnkiinllninnkkkmlojlkkj () ,
jmnklkmjjnjnmkmlmnnklklk () , $
onkkllnlklkomqkmlmlnlmmm () ->
nollkjmnlpjkngnljmkjlmlm () .
plimnkmkmkkqojolkmllnmlm () :
qlllllmlnlklllkmlmmllmmm () : $
ionlnnooimnlfiijjljmlkjk () ;
ionmnonninnmghijjmjljkjk () ; $
llllllolllllqklllmlpmmml () =
kioqokkmkkkjijlljllkllll () =>
jnnnnimhnokkmnirhkkjjmkk () {
jooomimfmpkknnhohkkjklkk () { $
mllkklmkknplqolmmmmmmlmm () }
mloklmllllmlrpkmlmmmmmmm () } $
lllllllllllmlllmlmltlmll (*
lmlllmmmlllmlllmmmkslmml (* $
nmmmmmmlmmllnmmmmmmlmjli )
llgrollmlllmlolmmmmmlmnm ) !
njmmhlkmnmojnnnnokmmnjff ) $
jnnmmmonllmlkkllllmlomml ) &&
jlmkjomnnkmmijolllomlnll ) (
lkvikklmmlmmlllnlommmmmm ) )
nmmmllmllnkmlmmjlmlkmjlk ) ,
nmmnnmlmmmkklmmjlmkijjlj ) , $
pnjhjklkjpipmphlkknomllk ) ->
nmmnnhkmkmpinlokijlhknkl ) .
qiiplhnjhlhmqlrknkllkkkk ) :
rkniklkmkkiljphlolmljlll ) : $
eonmnpoojniocefjgoglijpi ) ;
eonnooooeoincefjgoglfkoi ) ; $
hjijjolljqjlnkplkmrlolll ) =
mjjjkmnlnkkljkllnlnkrlll ) ==
jhpppiimiojmghokjkljkkkk ) =>
lknmollpklllklomlmnllmml ) => $
lnlkkmnnlplmknlmlllmlnmm ) ?
jjkkmkkqkplmjpklllnmmlll ) ]
llllnlkrlplmknjlklllmllm ) ] $
kmllmmmmmlommllmqmklommm ) do
lmllmllmllnmllllslllkmmm ) do $
lmmmmmmmlmlmmlmmqmmnlmmm ) then
llkmlrlmmllmmllnmmnllmmm ) xX
lmlllpnmmnlmllmmmmmllmmm ) x_x
goooomnelknoolmifkjihklj ) {
fnpoomoemkjoomnjgkiiijmk ) { $
mlkkplmlkkqkopjlkllklkll ) }
ljoipljkjlplmpllmlmlljll ) } $
mmlllmnmlmkmmlmmmjmnnjki ))
nkklgnjmokljnmnlojmnnkmj )) $
lpkljnmnlllnkknlmlmnmlll )) )
mnkmlmlmlllmklpmnmmnlmmm )) ) $
nllpinjmmlklmlnlkjkkpmmm )) ,
llnnmkikmnnlmkolklllllll )) .
jpklmooojnknhjiojkjljlll )) ;
jpmlmnoojnkohjhljkkjjlll )) ; $
knnnlmnhkjkookmlklllknml )) {
lmmommnhljkpljmlkllllmnl )) { $
mllkioohnmkmlkmnlmkkkiml *
knknlollkmkonlonllllqllj * $
kjjkknokknlkjpmsklkoklll * )
lpokkoolllloommllmlllmlh * /
lonjmpmlkllpnmnkllllllmh * / $
okmmnllmlllmllnlollllmll * 0
nlllliqlllmmoklmlmpllmmm * >
jomnknnjpllpnkmjlkjmlknj * Xx
nklmlookqmmjmjljlkjklkkh * x
okmmjomlnlklnmklllollmmm * x_x
qokmknnkklmqnkokklllklkj **
nonnklmnljlimkmjmjjmmikk +
oqonjkmnnkmljkmmjmllllmm + "
jmopkmlnlkllpkmlllklllll + $
lmnimmmjmjkmnlmlqnmmnlkj + 0
imnmknnnkijkmimlkkrkjkkk ++
lonnnnkolkllkkllllmllllm ++ )
lnhmkqoplkllkllllllllmlm ++ ;
plljilnklnmjplpmhkjkokjk +=
nlkjkkkllpplknqkjlllolll += 0
mmmmmmmmmmmmmlmgmlmkmkkm ,
lmllmnmmnkmlklnjmkmimjlm , "
lmmmjmllnnmmjknmnlnnmmmm , "c
qmklmlnlkllmllmmomllmmol , #
mlmnnmmlmmllmlmfnllemkki , $
llllllllmllrlmlmllmmnmmm , $x
lijkkqojmopllmklklllklll , &
ninmmjikllnnkkjlmpjkklpk , '
mnmniolljjjlkliljlppnlll , (
lnoonllklkklkllmlmmllmmm , ()
llklllnlkmollppmlmlmlmmm , *
lnnklmpklllnklmllmlmlnml , // $
mkmlmlmlkkklklmkmmljmkmo , 0
klllllmmllomlllmlmlmrmmm , :x
lmmllmmmmmqmlnlmlmmmmmmm , @x
lllllqmllllmmmlmlommlmmm , NULL
qpklllllllmmllmmmmllmmmm , String
llikknklkkjkmkmlkmmkmllp , XX
nnjijklmjmlnjlmkjjpmpkmn , Xx
mkkmpklllklmkoimllqnmmmm , [
lklkmokmmlnlmmmlmlkommml , _
mlknkoklmlllllnlnlmmnmmm , b
mllllqmlllmmmmmmmmmmmmmm , const
mmqkmmmmmmmmmmmmmmmmmmmm , done
kliknmllsmklkkllrmllkmmm , err
kkphjlklllnoklllqllllmlm , function
llnnknjnnmmlnlllnlllnlll , i
lpnllllnllmmlmnmlmmmmmmm , new
loiplkkolkmnnlkmlnllmmml , null
knnnjknlokknmmlmmklmmmll , true
llnkkmlonnmllommmmlmnmmm , value
nllkkmmmnkmkllmknmmkolln , x
lllkmmmlmlnjlmmklmnlolkk , xX
mlljkmmlomnkkkljlmnknkkk , x_x
mllolipllllllnomlmmmommm , y
lkknokokjjqlkjklplkokoll , {
kkloqllllkllmkkmnmlmlnlm , { $
jlllllljiijmkhjnjijlknqq -
lmmjlnnnmilkmklmmklnmlnm - 0
jjiknjhikkjniikniijklmpq - x
hlilijjklijjkiinrqrjhnop --
hikjjiijkjijjjilsqrjhkjp -- $
llijoiolllllllkqlmkknlqp --x
mmllmmmlmmmmmmmmmmmmmmql --x :
kkfdgpoeflgqollihhrrlhig ->
knkklkklkkklsiilllnullml -> $
lkkjkhrijpkklqllllnqlllk -> Xx
mllmmlklmlmpmmmmmmmmmmmm -> assertSame
lliijqokkijrkkjkkkonmklk -> x
kkijkqmkkkkrmjllllonllll -> xX
kkjklonklklqlkmlllmnlllm -> x_x
mpllllklmlmmrllmmmlmmmmm -> {
mpllllllmlmmsllmmmllmmmm -> { $
lllllllllljlllltllllkllm -X
kljkjmhjkkjjkkkujkjkkkqo -x
mmmmmkkmmmnimmmkmkmmlnmm .
mjskjllmmmmmmmmmmmmmmmmm . #
mnmjlmjkkjkomkmmkknijmmp . $
mmlmmmmmmmmmmmmmmmmmmpmk . </
mklllllrommmlmlmmmmmmmmm . Add
lllmmmllqmmmlllmmmmmlmmm . Assert
llklmllqpmmmlmlmkmmmmmmm . Equal
mkklmllslmmmmmmmmmmmmmmm . Length
kklllllppllmlllmlmloloml . Name
jlllmmlnslmmklkmlmmnmmmm . String
mklmmlnpmlmmmmmmmmmmmmmm . ToString
nplnnhhjmhhknipknholklkm . XX
mkkglimqqfeikhlklhonkpjn . Xx
khjllkklnkilnkmlllmnlolo . Xx $
phrljjlkkkkljnolnlllmmll . _x
opnnjkijlnmlnmlllllmllll . add
ppmkkknlklmmmommlmlmlmmm . append
mllllmkmmrmmmlmmmmmmmmmm . await
lplklllllmlmrjnmlmlmlmmm . build
kvlkllllmlqmkkkmmmmllmmm . class
kmomlmlllqnmlllmlmmmmmmm . clone
nllmmnmmlmmmkrlmlmmmlmmm . count
klqlkllmllsllllmkmmmlmmm . each
mmmkllokklmmkormmmlmlmmm . empty
klppklllllllklklnklolmmm . equal
nrkklklllllmlmnmommmmmmm . equals
mlqjlmllnplmlllmllmmllmm . expect
ppoklkljllllnkplkllmklll . get
qkjnqlklklklmjjlollmlllm . id
lollmlllmllmqlkmmmmlmmll . java
qlmlnllllnplkllmkmlllmmm . join
jpopqhhjlknkkjmljlkpklll . length
kkqmklllkllmkkmlomlmlmmq . log
jnmnlkkkkmmlmnollljokkll . map
lkmnmmnkjmolmjllmlkmmmll . name
klkkllljkkvlkkjmnllkklll . new
lqlmmmmlmlmmnllmmmmlmmmm . newBuilder
klqikllklmllksollllllmlm . next
mrklllklmlmmnlnmmmmmmmmm . of
omlkklklmpnmmlllollllmmm . path
lkqoijmklpnlkkkllllllmlm . push
lplllllllmlmllqmlmmmmmmm . put
mnkmlllllmplplkmnmlmlmmm . read
llqkmmlmmnomklomlmlmlmmm . send
kmmnmllkllmlomnmllmmlmmm . set
lnninjrklkmlomnmkllllmlm . size
nmolqkllllmlklllllmllmmm . split
klhlqllomllmklllmmlmpmmm . state
nosjkmllklmmnkkmlmmnmmmm . string
lnsjmkkkllllqmllmmklmmlm . test
lnmokllmllpmllmmlllllmmm . to
lkmoollllkklllkllllllmmm . toBe
knnmjljklkllokomlnlllmmm . toString
lklllllllrlmlllllmkpllml . to_string
lkllllklmrmmlllmmmmlmmmm . unwrap
lkpllmmmmlnmqlkmlmmmmmmm . use
lnnqklmkjlklmonlkmllmlll . value
nmmmmkjejmngnnmmmnknllmn . x
kiiohjjjilollnmmlpmojjkm . x $
klhoollllkqmlmklklllqmml . x!
jkkkollllnummollkmllkmml . x?
mnmmnkjfimmgnnnhmkknfmlk . xX
ljnnjllklmolmmolkmkokomk . xX $
mnmmmlkhinmhmonhnljmilnk . x_x
ljomhkklllmlololmolmjoll . x_x $
lljookommllllllmlmmlnmmm . y
hjijljiljpkkmjiotmpjhklr ..
lmmmmmmmmmlmlmlmrmmmlmmm .. "
lkppolmjlijmilhklkjknjkm ...
kmommlligjloljmpjjgiklln /
knnmloolllnonmnklllllllk / $
kkmlmljlkkkljklqlkjknolo / x
imnlkrnhjijmmkkjjkjjjloi /*
jnlmjrpijijnnkljjjjjjjnj /* $
innnmlononiknnmlghgggmhh //
hnnmmlooonjlnonlghgigkhi // $
kkpfplkklklpjklkjlklkolm />
klplnllkllloklljkmkllmln /> $
llmlllmllllmlmlllmmknlno 0
mimlkkillimhklmmllllnlhp 0 $
mkkklkllllkllllllmmllnrn 0 %
mmmlklnlklllknnjmmllmllk 0 )
ojnmimipljlkknolokklnmkl 0 ) $
nnnjgjlklplmmonpmmmjmlll 0 ))
mknjlmlknnlmonmnmmllmmml 0 )) $
lmllmnmnkmnlmkkimmkjlkkl 0 ,
kmlmopnnlommlilklkjkkkih 0 , $
llmkmllllmlmlllllkllmlor 0 0
nmnkllllmljlkkkljlkkqlkq 0 :
rmpkmkmmllmllmlllmlmkmml 0 : $
inmkknnlkmjnllkkkjjjjopj 0 ;
jnmlkonljnkoijkjjkkjjkpj 0 ; $
mnmmknlnmlllnjgmlkkjnlkl 0 ]
klklllkkrqllkplllmllllmm 0 {
llklllklqqlmkolmlmmmlmmm 0 { $
mnkmomonmklkljmnklllmlll 0 }
nmmjimllljjkkolmkklknnnp 0.0
nomllmjllmllknlmmmllnmpm 0.0 )
npknmjmmmkkmkollllllmlll 0.0 ,
jokkllllllllqkqllllllmml 0L
lnllmlllllmmrllmmlmmmmmm 0L )
lkkkkkkllkllllllllmlllul 0px
mlllllllmlmlmlllmmmlmlsl 0px ;
lllkklllllmlllllmmmlmlrl 0px ; $
njnnmkjjmmljlollkijmlmon :
kjnnnimknmokgohmflkkjojk : "
mmlmllmlmmlmlmmlmmmmlmrl : #
rlmklnommgfkfldgklljgklr : $
lllllmkmoqmmlmmmmmmmmlmm : &
jkpokkkmjklmjikljikkllln : '
lmmnhlmmllmmlllllllllllr : ' $
jlllnqllkjjmmnlllnkqmllk : (
klmkllmllllmkukmlmmlmmmm : .
kjmnmmjlmlpjhmhlijjknnon : 0
klmmkllnlnmllkllllllmmkq : 0 $
llllllllmlmlllllmlmlmlsl : 0px
klkkllllklllpnqmlmmmlmmm : Int
kkkknklljnklrnolllllllll : String
llmmmmmmmmmmjlsmmmmmmmmm : Unit
ngjnnhijjnikopolhkhjlljo : Xx
lkiommlojkkmmmklllkkmllq : Xx $
llljllmllllmrqkmlmmlmmml : Xx?
jloomllkjjmlkrjmjmkmlnll : [
mlgrnmmmllmmlolmmmmmmmmm : any
kkpmmllollolkkklklllllln : false
mlrlkllmmlmmmlmmlmmmmmmm : function
qlkllllnmlmmmllmmmmpmmll : int
llgspllkkkllkkllllllllln : number
ljeqpkjkjkkmikkllllrllll : string
lllrmmlllllnlllmlmlnlmll : string $
kknmokknnkomjkjljllnlnln : true
mlllllllllmmmmmmmmmmmmql : var
kllkkhjkolkjgnhiojlmllpo : x
knlnnjkjpmlkhoilllknkmmk : xX
mljnnkmkpkllinjmnlmmmnnk : x_x
ljooojkjkkokhojlillklpjk : {
lkpoojkkliokiljlillllojk : { $
hhdggcqfgrpqnfhjjnnmpglp ::
kkjjkiolloppmkjlkkllmllm :: XX
hiiijfrhiqskkijkjknjqkkm :: Xx
ljllmmllmkkpulkmmmmmmmmm :: class
mllllkqlmlllmmmmllmmmmmm :: cout
llllllkllskllllmmmmlmmmm :: new
mlklljslmlmmlmmmmmmlmmmm :: string
mlllllqmmlmmmmmmmmmmmmmm :: vector
jkijkhpjkqjnkjmlnpknikpl :: x
lmkjljrklolomlkmmmlmmmmn :: xX
kljjkisklrkmljkllllkkllm :: x_x
ijijkjjjwjjkhipkiojmjpll :=
lmllmmlmrlmmlllmlmmmmmmm := range
kkklllkktlllkkklknklloll := x
lmllmlllrmmmllmmmmmmmmmm := xX
kkhkiijjliskkijklkjjskpp :x
lllllllmllqmlllllmllmmmn :x $
jlllllllmlqmlllmlmlmqmmm :x )
klllllmlllqmlllmkmllqmml :x ,
klllllllllqmlllmlmllpmmm :x ]
lmlllmmmmmsmlllmlmlmlmmm :xX
klllllllmltlllllkmlllmml :x_x
bonnnooohnhodffkgmcokmoh ;
cpnnoopobohpbcghfmemgloe ; $
lklllrmlmllllmmlmllllmmm ; /*
ljlllqnlmlmllmmlmmlllmmm ; /* $
lomjknpnlllmklklllmlmmlm ; //
lqmijnqlklllklklllmllmlm ; // $
mlklmpolmlmlmmmkmmlllmmm ; \
llkllpplmlllmmllmllllmmm ; \ $
llllllllllllllmrllllllll ; do
lmlmmllmlllmlmmrllllllml ; do $
llnmnmnmnkllkllllllllmlm ; i
mklllllqllmllllmmmmommlm ; set
lllllllllllllllrklllllln ; then $
jjmjkknjojklkllmllkrrmkm ; x
lllkmlnlmlmlmlmmmmlqpmmm ; x_x
lmlkklnplklkkklmlllllmml ; }
lmnklmnplkljllmmlllllnml ; } $
kllllmllllklllltllkqllll ;;
lllllkllllkllkltlljqllll ;; $
knnnnlnnjnlknnkjjjkikohh <
mmmllmnkllmmllnlmnlmklll < 0
lolllllklmmmpmlmmmlllmmm < String
moknkjnnlnmlnnlmlmlmllmm < T
imnophnojnnjoojklljjjekj < Xx
llnjslllllnlkllllmllljml < Xx $
llnmlmkllllllllllllllnll < a
mmkmpmmmmmmmmmmmmmmmmomm < code
llmnnllllllnllllllllloll < div
llolnlllmlllllmllmlllnmm < li
mmnlmlllllnmmmmlmmlmmomk < p
llnmllllllmolllllmlllmlm < span
jlnmiopklmknlkkkkllklokk < x
kkkkljklnlklijrkklvkklll <-
lmmmmlmmmmlmllnmmmrllmmm <- xX
iipmojiikinlhijjjjjijpjj </
mlqkrmlllllllllmmmllmgmk </ Xx
llmlnllllllllllllllllpll </ a
mmkmpmmmmmmmmmmmmmmmmnml </ code
llmmnllkllknklllllllloll </ div
llolmllllllllllllllllqll </ li
llmknlllllnllmmllmllmpmk </ p
mmmnnmmmmmmommmmmmmmmkmm </ span
linkjnpmlmrljmjmklmkkklk <<
lllllitlllollllllmllllml << "
llllmmqlmllmmmmmmmmmmmmm << '
mmnljmollomlnkkknllnnllk <=
jqikrklkkkklkkjkkltnkklk <>
mrllllllnlmmmmmmmmnmmlmm <?
nmmmmmmmlllmmnmnnknmmmgk =
nkkkmhjmknkllklmojkkjnmm = "
kkmnpjjknikkmmkkmkjkkokl = " $
nlnkjkllmlmlmlmlnlmmmpll = "c
gnjlklnkiiikqflljkrrmkkj = $
llqkllllmlljlmlqlmllommm = $(
lknklkkllnlplllnlllllmlm = $x
njmnomjkklmlklloolklklmj = '
mnnmmlmollmnjllrjkmklkkj = (
kmlllmmmlmmmkslommlmmmml = .
mlllimnmknkoljmonkikmkih = 0
njnnijknmjlklomqllmllkli = 0 $
rmlllllmlllmkllmlmollmmm = False
qllllllllllmllmllmlqllml = None
uklllllmlllmklkljmpllmmm = True
pkjjkqnjklnlqmjlkllkklln = XX
mlkijllmikojoomkijnonkkl = Xx
rklmljkklmnnjoikiljnolll = [
njqmjlkknlpnkmlllmlmmmmm = []
nklmjpmlllllmokmmlklomml = _x
lmmmmmmmmmlmlmlmrmmmmmmm = assert
lmmmmlmmmmkmlllllmsklmmm = do
lmmmmlmmmmkmllmllmsllmml = do $
hjmmlmnlknkllnolnlkmplll = false
kkojllklllomllllsmkoklmm = function
jpnnkhlpljlmgjoljkkkklln = new
kloklkknlklpqjollmlllmml = null
qlkllllllokmlonlnmlllmml = self
llqojkkkllllnkkmlmmmmmmm = this
ikmnjlmlnkklonmmnljkpllk = true
kjlokkklokllmpnnmlkkllml = true $
omlljmlmokkkmllnpkmkolih = x
lkmmjkkknknlmomlllmnllll = x $
mmlmmmllmjmiolnkmjoklljj = xX
mlmkolllomlmlokllmonlmmm = xX $
nlmmlnlmljolnlminjnjlkkk = x_x
ololpoljfgmjjhmirkioiejk = {
pimljnmihhokkiokskkpkkkl = { $
omdffonmnllhmooipiphokji ==
okkkkkmknlllnklmnllkqlll == "
oogikmnnlmkmmmolmlnklmll == 0
plljlqkllmmllkollllmmmml == XX
knkkllnplllnnmnmmmmlpmmm == Xx
lqinkkjpllllolollmlmmmmm == null
jhqpqhgjijknijmlilkkolll ===
lkpplllmmmlmlllmlmmmmmmm === '
mjqnnjjllmmmlllmmmmmlmmm === 0
gfoopggpfopqdfqjgimhmijj =>
kjlnokkqkkklgitlllnkklll => $
mmklmmmmmmoqmmmmllmmmmmm => '
llqpkmlmlllmllmmmmlmmkmm => (
kkpmkllokokmkkpmlmolmmmm => Xx
kkqnjlkokmnmkkomlmllmmmm => x
jipopjijjnnjhillilkkklll => {
kipppjijjoljiikljlkkklll => { $
jmmnnknnjmkkmlhmiknkjoji >
ihnopmlijilmijihijiiipik > $
kifpnirpkmklpmjlllkllmll > (
lljnkllqlmllrljlllllllmm > ()
lklmmmlnllmmpokmmmmmmmmm > () $
mlionmlnlnllmmlmlmlllmmm > )
llnmklmklqnlolkmmmllkmll > ,
nlmnjllonlklnmjkmnkmmlll > 0
mmkmlmmmmmnlmmmmmmmmmqml > <
llhnilllmlnllklllllllqlk > </
mlmljnnllnknnkllllnmllll > >
lklllklmlmmolkklllkllolj > Xx
lrlklmnlllllkkmomlollmmi > x
mqljlkmmlllllklllmqlmlmm > xX
lnommklikpllpnkllmlllill > {
lmjollmjlollnolmmmllllmm > { $
mmmknlmllmlmmlmkmnomjmll >=
mmmjokmkmkllommmnollkmll >= 0
fnooomlohonnillmjjljnkkk ?
llrikmklllomkmoolmkllmmn ? $
mllllllmmrmmllmmmmmmmmmm ? ;
llkkollmllmmtklmlmlmlmmm ?:
knlmllmmmllmlmlmlmrlllmm ?>
lkjpnllolllnkmommmmlmmmn ??
lllllllllklokllllmlsllml ?x
klkkllloklmllkonllmpnklk @
mvllllkkllmllllmmmmmmmmm @Override
lvkkllkklllllllllmllmlll @Override $
jsirikjjjjkkqookjklkkkkk @Xx
kskikkkkkklkskplllllllll @Xx $
lrkpkllkklllnlomlmlllmmm @Xx (
lklulllllllljkklllllllll @Xx ()
kllllkklllklklklllklwlml @test
jllllkllllkmklklklllslml @test x
lmkjkjmjiirommkihkkksjoj @x
lmmmmlmlmmkmlmmllmmmrmml @x "
ollllmllllsnllklkmlljmmm @x .
lmmmlmmmmmrmmmlmmmmmknmm @x =
llklmlllllomolkmkmllpmmm @xX
klllllllllrnmlklllllolml @x_x
kljnlonllkmkjjplkjknjnln A
jmlplonlllllmlomlmlllmml A ,
kmllmmmmmmlmllrmmmlmmmmm A ]
lmgkrlllmlllmnlmlmmlmmmo API
mkmkljnqolmmlllmlmmlllmn Add
lklllknqollmlmlmlmmmlmmm Add (
sllklllkkkklnlmllmllonml Any
klllllllllkmllklkmlltmmm ArgumentError
mqllllmlmmmmlmlmlmmmmmmm Arguments
lqllmlllllmmlmlmlmmmmmmm Arguments .
ljmokkklmlnlkmqllmmnmmml Array
lkkklkkrokllllklllllllll Assert
llllmmllrmmmlllmlmmmkmmm Assert (
lkllllksllllmllmlmmllmmm Assert .
jlkonmmkmkmllkolklqklmll B
lmllmmlkllpmlmkmkmlmsmml Base
kmlllmmlllnmlllmlmlosmmm Base .
lllllllllollkqkmlmomommm Bool
lnlkmlllllllqkqmlmlllmmm Boolean
lnlllllkllmmrjnmlmmmlmmm Builder
jojomkklllmlklqlolklmllo C
oplllmkkkmpmplklmmnllmml Class
qlkrlllkmklollkllmllllml Column
qmmmmmmmlmmmlmlmmmmmlmmm Column (
lklklgtlommmlpjmlmollmmm Data
lljnmlllllmlkqlmmmmmmmmm Element
llllmllpommmmmlmlmmmmmmm Equal
llllmllpplmmlmlmlmmmmmmm Equal (
mllllmkmmrmmlmmmmmmmmmmm Err
mllllmkllrmmlmlmmmmmmmmm Err (
lhoomkklqnlkjnklkllplmll Error
kmmlmmllnlomjlsmmmlmmmmk Errors
pojklllnllmomllmmmmlmmmm Exception
lnmknlmllmlmmlrmlmmmmmmm F
lmmmmmmmlmmmmmqmmmmmmmmm F [
kkjjkkkllkkkkllkltkllllr FROM
sllllllmllllkkllklrkklll False
komimllnmlsmokkmlmlmllmm File
lmlklllmmmsmlmlmlmmmlmmm File .
mlknllmnmmlolkqmmmmmmmmn Foo
llimtlmlmlmmmllmmmlmljmm Group
mrklmlllmlmmplkmmmmmmmmm IOException
ijjjkjlkkjjlpprlklnjrlll Int
lmllmmmmlmmmlnrmmmlmmmmm Int ]
prkklkjmmlllmkmmlmoknmml Integer
mjnomlklnlmmkkklkllnqmmm JSON
kkllmmlqmmllklsmmmlllmmm Json
klmlmmlolmlmklsmmmlllmmm Json .
nkqkkrmlllllllkllknllmll L
mklllsjmmmmlmmmmmmmmmmmm L ,
mklllkltlmmmmmmmmmmmmmmm Length
klmlmmmmmmmmtllmmmmmmmmm Level
nnjjkkjnkjklkkrlllopkllm List
kllllllllllmklpllmlslmmm List .
lokllllpmlmmpllmmmmlmmmm List <
kokjlllllllmqjpmlmlllmmm Long
klqlmmmkllkllknmllqklmll M
lmlnlkmmmllllkpmlmnplmml Map
konophimllllkkllklmlllll Math
kooopiimlllljkmllllllmlm Math .
lllklikllllllllllqlmlmlr NOT
kiijjpnjkklkklklktllklkk NULL
lkkllqmllllllllmlommlmll NULL )
llkklnmllllllllmlrmmlmll NULL ,
mklllrmkmmmmlmmmmmmlmmmm NULL ;
mllllpmlmlmmmmmmmmmlmmmm NULL ; $
ojljjlkrrkmllkkllmknkoll Name
llllmlmmrlmmlllmlmmmlmmm New
tkiijjjnjpkkjiokjljtkkkl None
omlllllllmlmkknllmlrlmmn None $
rllllllmlolmlknmlmlmlmml None ,
lmmmmlmmmlmmlllmlmkrmmmm None ->
rmlmmmmmmllmlllmlmmllmmm None :
llmllpjmmlklmllllmskomml Nothing
llmllkklllllllmlljlmllnr OF
llmllkkmlllllmollklmlmnr OR
lqmoklkmmlmlkklmlmmlnlmn Object
llkkllklltlllllmlmkplmml Ok
llklllklltllllmmmmlnlmmm Ok (
lmllkmllmplmkkpmmmkomnmm Option
lmlnllnknmlmklomnmlqnmml S
mllllllllrlllmlllmlmlmmm Self
kllllllljllmkkvmlmknlmmm Seq
kmmlmmmlkmmmklummmlmmmmm Seq (
jkjjkkkkktkliiqlkllslllk Some
kkkklklljtlljkrllllpllll Some (
lklllnlrmlllllmmmmmmmlmn Source
mrjjjhgimlijnmokilnonlkk String
omklllllmlmmpommllllmmmm String )
kmjjnlllnmllolrmlmllmllm String ,
ooqkklkllllmmlkmlmjrkmml String .
lolkkllllmmmnolmmmmmmmmm String >
msllllllmmmmlmmmmmmmmmmm String xX
lpkkljjplkmlmlnmlmplmmmm System
lpkllkjomlmmnlmmlmpllmmm System .
kmfnjhonnmiknlolmlqiokll T
kllllllmllkmllllmmtjkmml T .
lokmljnplnllomkmlmlmmlmm T >
lllllkllllllklnlljlllllr THE
nkjlllllkkklnpjmlltkkmll Text
lmmmmmmllmmmklkmmmtlmmml Text .
mjllmlnqmmmmmmmmmmmmmmmm ToString
ulkkklkollkljkkljlskklml True
rmlmmmmmmmlmlllmlmmllmmm True )
nnlljklprllljlnmlmllnmml Type
lllllmmlmllmlksmmmmmmmmm Unit
klllmmmmmmlmklsmmmmmmmmm Unit =
llkllllklmllmlompmlmmmll V
mkkkklkqolllmnkllmlmlmlm Value
lmlmlnmhkklmmjmmkokjljhn XX
kmlkjmnljkminljmjnkjjijq XX $
ijjigqqhljjjmmjkjoljlmkn XX (
nnjmknliklkmoknjlmjjjlkn XX )
molmmqjklllmnlmmmllllmmm XX ))
lkmklnklmllmlllmmrlllmml XX *
mmknlnmijkkkmhojkmikkjlm XX ,
nokmmoljklkkminkjlkkjlkn XX , $
jmimnhjjjmpmjloklhqmqllm XX .
nopnkokjkmkmkjjmkikkllkm XX :
loimionklklljklklolkmlmo XX ;
loimhpnklklllllkmrkkllmj XX ; $
nlmmkkklnjlonkjpmkkkmjki XX =
jikkjiklkkjjikmlkrjkjkls XX XX
llmnoojlllmmlmommmlllmml XX ]
llkllmjllllklllklrlllmlk XX x_x
mmllllmnnlmmlmmjkinmmmin Xx
kfmmljfnnhnmnkmiijomoljo Xx $
mlkmljsllnmllmmmmmmmmmmm Xx &
nkjifooqqieknonikjklnjij Xx (
omikhlnqnhjnqkoljlkkmllk Xx ( $
mjjjnmppqfimnnlkkkkjnkkj Xx ()
njlojkkpqjkjonmlklmlklll Xx () $
nkinnknopmlkmnmlikmjlolk Xx )
nkmnkjkmommlmkmmjlojmoll Xx ) $
ommlmjnpmlnllllmlmnmkmmm Xx ))
ljkklrqkoklllklnlllllmll Xx *
mimolkonnnjkllmjhjmkmmnk Xx ,
minnlllnmnjjnknkjkkinkjl Xx , $
klllllllklllokllllrpllmk Xx ->
jomkleeoicngnnmjfhnqnkjn Xx .
nikmjlimqkikjnjknkkkkjjp Xx :
ikhijgqiistrnhhkjkijhkkj Xx ::
knlopmmnjnknijjkkkkjmkkk Xx ;
knmnommninkoijjkkkklmkkk Xx ; $
jodopfmqippjnpikkljjmkkk Xx <
llnljlllllmolllllllllnll Xx </
kfjlmkmpoojhjlnkmkkmkikn Xx =
jnloojmojojkpoikklkkkgll Xx >
lkonpmmllllllnlllmlllgml Xx > $
khkhplnnpkjlkjklllpjjolq Xx Xx
rjinkjnmojjljitlklnkkllj Xx [
llhppmmlollllllmmmmllmll Xx []
mlmlmlllmlmpmmmommlmmmml Xx \
njjklklpnkinimrlklnklqlh Xx ]
mlkmlllqllllllomlmokllmm Xx ] $
kpljnlmnllkljhhjlmnmlmkn Xx x
lrihonlolklljkklllnmllll Xx xX
lskkmmnmlkllkllmmlmmlmml Xx x_x
hnilmgnlpohhmonjnklksiil Xx {
injnkinfppiinpokmlojjkik Xx { $
kmmnomimkokkjjnllmllpoll Xx }
lkkjkllokkllrrjllmllllll Xx?
nkmmmlmlmjmmlmmmljmmmmki [
mjmknjnmljpknnhmnlmnkkll [ "
ojponhjjhnkpiohlilkplllk [ $
nkmmmkkklkoqlkklolklklll [ '
klkmllnkllmmlllmlmqnmmmm [ (
kmkklmmmmllmmsmmmmmmmmmm [ .
mllnmmllllljllglllljnomj [ 0
kmllmmmmnmqmmmlmlmmmmmmm [ :x
kmmomlmmllmmllqlmmlmlmmm [ A
lmmlmmmmmmlmlmrmmmmmmmmm [ F
lmllmmmllmlmknrmmmlmlmmm [ Int
llllmmmmlllmlmrmmmolmmmm [ String
llpnnpklmllllmlmlmmlllml [ XX
mjhmkklqklikllqkjlonnnli [ Xx
lnmlknmnnmlkkkikmnkkllll [ i
smmlmlmmmmlmllkmmmmnlmmm [ str
nmmlmklkkkmjmjkkmkonlkmm [ x
olnllkllllkllllpqlnllnml [[
lqlnljkprkmogjhjikonnkkk []
mkpnlllmkmnllmkklmomnlml [] $
nlknmjpokmmolllmlmnmlmmm [] ,
mkgrkpllmlmpmmmmlmnlmmmm [] =
lllklmmltmmmmmmmlmlmmmmm [] string
mqlllllommmmlmmmmmmmmmmm [] {
khmlinniillqhjjpinmljijj \
lkiijqpkjpmjjjiqjjhnmkkk \ $
llrkllllmlmmmnmmmmmmmmmm \ .
mlllllllmlmrlmnmmmmmmmmm \ Xx
mlmmmlllmmmnklmlmkmkmkkj ]
mhnmjifojonljlmjjjpmokjl ] $
nkmklknllllmjlrmlmlmnnml ] (
mjnlmmmllmkoiomkljlnlkkl ] )
okllljllmnmmkolkmllmnlll ] ) $
lnkpillmlmknlonnlmllnmmm ] ))
oknommjlknlmkmlkkjjknlkj ] ,
okonmkklimlnkolkhkiklmlk ] , $
kklklonmllpkkkokllkklllm ] .
olonplllklklmkmnkmlmklll ] :
jnmnkonnlljokkjojlknjlkk ] ;
jnoojnmnjlkokjjkklkmklkl ] ; $
nnlkmmmjmknlmmojpllinkkj ] =
nnijlnolkmollmlmlmmmnmmm ] ==
npnkmiokkkmlkklknlllllll ] [
ojljljnklklmjkrpnlnklnlk ]]
kllmjmmmllnlklnlpmlnmlmo ^
nlljimmjnnllliljjinlmojo ^ "
kmnkknpmmkmlklmmomlnlmmm ^ " )
nnmmmllmlmnnmiklllklkkmk ^ " ,
jllmlllmllkmllqmlmqkllml ^ " ->
rlnkmklkoikljjjljmkllqll ^ " :
kllklmlmllqmlmkmlmmmpmmm ^ " =>
lllolmmlllmmklsmmmmmmmmm ^ " in
vllkllllllklplllllkllllj ^ "3
ohjiholmhipjhngogihiolko ^ #
kljnkllklulolllllmlllmmm ^ #[
lklllrollllllllllllllmll ^ #define
mmmmmpommmmmmmlmmlmmlmml ^ #define XX
kjkklqpnkkllkqkllllllmll ^ #endif
lllllqrlllllllllllllllml ^ #include
mlklmklkmlmsmmmmmlmlmnmm ^ $this
mkkllkklmllslmmmmlmlmmmm ^ $this ->
ljoljjjkllnrlllmllllkmkl ^ $x
mlklllllmlmqmmmmmmmmmmmm ^ $x ->
mkmllljlmklsmmmmmlmllmmm ^ $x =
mlmllllmmmmrmnmmmlmmmmmm ^ $xX
mljkknllnplllllmlmmmlpql ^ &
okmljjjljjlnjjjlmpkkjnlp ^ '
pmmjkmmnlmlmlkmmllmmmnlp ^ ' :
mimlkmkjgnjjiikokjqslojk ^ (
lmmkllmllllmkmkmlmoskmml ^ ( Xx
pgnonghdmmllqnonjnjkhhjg ^ )
okoomjkjlmjlnmllipjlklll ^ ) ,
lkkqnllllkmmqklmlllllmmm ^ ) .
nkjqmklllkllrjmllmlllmlm ^ ) :
ilooqjghlpklikjkkqkkkkmk ^ ) ;
lilopjlkkklqomillllllllm ^ ) {
lomljpoijkiookommjjiijmj ^ *
lopkkmnlkklqnmnllllllmmi ^ * /
nrlkjmkklmklklnlolllllml ^ +
msllmmllmmlmlmlmlmmlmmmm ^ + "
jllklkkkkkjljkjljovmjklk ^ ,
klllllllllkllllllltkllml ^ , xX
ljlmjomkllklllokmlnljlkt ^ -
hijjkjjkkkkkjjjkprsijnko ^ --
mlkknjnklllllllmllmlmlqn ^ --x
llklmlomlkmqnmlmllnmlmmm ^ ->
kpmliolmgphjnomkgihhhjrj ^ .
mllmmlnrlkmmllmmmmllmmnm ^ . Xx
llqllmmmmnlmllmlmmmmmmmm ^ . expect
llqlmmmmmnlmmmlmmmmmmmmm ^ . get
klmlipkkjpllmpllilkkkmpl ^ . x
mqlkimkkjnjlmmnlklkkklol ^ . xX
jokkkplkkojlnmnljllkllpm ^ . x_x
mplnlpnllkkqolollllklklh ^ /
jnmllqnijjknojlkklkkkkok ^ /*
fmnnnlooooikonmgghhhhhii ^ //
kmmkhjnlkjmkijlkljjkjkot ^ 0
komlklpmklllklmmlklmlmlp ^ 0 ,
jnmnrmmpkjkmkjklllllllll ^ :
lklmkklklklnlklllljullll ^ ;
lllllkllllkllllsklkrkllk ^ ;;
ijpjojihkjlmhijiikljipkk ^ <
llrislkkllklklllllkllfll ^ < Xx
llqllllllllllllllllllnll ^ < a
llnmnllllllmkllllllllnll ^ < div
llnlmlllllllllllllllloll ^ < li
llnlmlllllmllllllmlllomk ^ < p
mmmmkmlmmmmmmmmmmmmmmqmm ^ < td
jjolojjjkjnnijkjkkjjkpkl ^ </
mloksmllmlllllmmmmllmjmk ^ </ Xx
llnlollllllnlllllllllolk ^ </ div
llolkllllllllllllllllqll ^ </ li
lmlmmksmmmlmmmmmmmmmmmmm ^ <<
kkpmrllklkklkkkkllmmlmml ^ >
kmnqqllolkkmkjklllllllml ^ ?
lvkkllkklllllllllmmlmlll ^ @Override
jsjsjkjjjjkkqmokklkkkkkk ^ @Xx
kqkoklkkllllokollmlllmml ^ @Xx (
jlllllllllklkljlklklvlll ^ @test
klllmlllllkmllkmkmllsmml ^ @test x
okilkmjkkjpnmklkiljksmpk ^ @x
lmmmmmlmmmjmlmmllmmltmmm ^ @x "
qllllmmmmmqmlllmlmlljnmm ^ @x .
lmmmmmmmmmsmmllllmlmknmm ^ @x =
ljllllkrllllmllmlmmllmmm ^ Assert
llllllkrlllllllmllmllmmm ^ Assert .
mllllmllmsmmmllmmmmmmmmm ^ Ok
nsmnlkkjlplmllkmmmmnmmmm ^ String
kllmknnhkilhligmjqjgjiio ^ XX
kjjjkpskkjkknkklkmklklln ^ XX (
lnmnmomkkklkmljlkgklnlln ^ XX ,
kkrqjkjllklkllllljlllllk ^ XX :
okkpjnkmnkmjjkkplkkkkklj ^ XX =
lnlklmmmnlljmnmijjmmmiio ^ Xx
mhifioomkijjornkikmkllkk ^ Xx (
lklllooknlmllllnmmlllmmm ^ Xx *
mjonmmkkjllkijllkliknlll ^ Xx ,
kolmlgimfhojnmojijjqnjkl ^ Xx .
nknmmlkiqkklkhmlkllkkllq ^ Xx :
lkkjlipkksopkkklllllklll ^ Xx ::
mpkjnjopllmlmmllmmllllml ^ Xx <
likiilmpnonkjkjjmlkjlklo ^ Xx =
mpjioloomnnlikjknlliklln ^ Xx x
mpklklmomlmmlllmmmmlmmmm ^ Xx xX
ljlnlmlqijjkjiglokoqiknj ^ [
kkjmllltkklllljlllkpknlk ^ [ Xx
nionmhilhllniogkikrpknkj ^ ]
nknnnkkklnkokpjlllknlllm ^ ] )
lkmklmkopnkljqklklpjllll ^ _
pilmlnmnjlkjkmlqkjkknllm ^ _x
omlklknnlllllomnnmlllmml ^ _x =
kkmopkllnkklikmkklmlkmlq ^ `
qhpkjmnjniolkknkqjjkilkk ^ assert
ijknknpmkkllmmolplllkllm ^ assert (
jkshkkklqkkljlklsklllmll ^ assert .
mkllllllmsmmmmmmmmmmmmmm ^ assert!
lllllmlmmsmmmmmmmmmmmmmm ^ assert! (
lqkklkjjlkllokqlllllllll ^ assertEquals
lqjklkjjlkllokqmlllllmlm ^ assertEquals (
lrkkllkllkllrkjmlllllmmm ^ assertThat
lqklllkklkllskjmlllllmmm ^ assertThat (
lpklmlklmlmmolommmmlmmmm ^ assertTrue (
llllllllmrmllllmmlmmmmmm ^ assert_eq!
mkllllklmsmlmmmmmlmmmmmm ^ assert_eq! (
mklllktlmlmmmmmmmmmmmmmm ^ auto
kjopqkklljllkkjllklllllm ^ await
lnmkllllqommlllmmmmmlmmm ^ b .
ljkmknpollmllllmmmmnmmmm ^ bool
nmmoknmlnlllokimlkkkllkl ^ break
lmmnmnnnkmlmkkkllllkllkl ^ break ;
mlllkmlkqollkknllmnkmmml ^ c
llllllllqlnmklmmlmlmlmmm ^ c .
gmnmjnlmnhlngppojkniijji ^ case
kknqliklmllllololmllmlml ^ case "
klkklllljllmlukmlmlmmmml ^ case .
lpnklpmlmmmllklmmmlmmmmm ^ case XX
ollllmmqmllmmmmmmmmmmmmm ^ cfg
mlmlmmmqmlmmmmmmnmmmmmmm ^ cfg .
njnlkkmjijpopmolklkkkplk ^ class
ojnklknjijqnpmmlllklkkll ^ class Xx
kmojsllllllmollllmlmmiml ^ className
klokrllllllmolllkmlllgml ^ className =
heppplliljiojhgjhjjomjjk ^ const
llqnkmqlllmllllmlmmlmlmm ^ const Xx
jhpqqjjkkjkljjjlklllllll ^ const x
kiooonjklklkjkklllllmlll ^ const xX
ljoonnlllkllklkllllnlmmm ^ const x_x
llmjqlmlonmlmmklllmklnlk ^ data
sjjijjkjjjukhitkikkiiklk ^ def
nllkllllllsmkkrlllllklmm ^ def x
pllkllllllpljkpllmlllmmm ^ def xX
qlllllllllrljkolklllklll ^ def x_x
mjomkkskolmllllmmmmmmmlm ^ delete
llqjklllllllllltklllllll ^ done
mlkllllllllnmllqlllllllo ^ echo
mlfhinomghpinilnnkoopkkk ^ else
smmmmmmmmmlmllmmlmlmlmmm ^ else :
fifijjhihmtihhghsijnrijl ^ end
llklmlmmllkmlllmsmmmlmmm ^ end )
kjponkkkljnkjkjlkkllklll ^ expect
kjoookkkljnkkkjlkkllklll ^ expect (
jirqpkjijjkkijjpklkkqklk ^ export
klklllklllllkllskllllllm ^ fi
lukllkkkllmnjmomlmmllmmm ^ final
mqlmmlllmmmmmmmmmmmmmmmm ^ final Xx
lkmnjlklltlllklllmmlmmmm ^ fn
mmlllmlllrmlllmmmmmmmmmm ^ fn x_x
mlkmklllmlmlmmmlmlmllnql ^ font
mmlllmmmmlmlmlmmmlmmmnrl ^ font -
pmlmmmmlpnhjklknokjjplkj ^ for
lnnnonomjkkknillklllmlll ^ for (
tllllmlmllllllllllkllmml ^ from
rmmklmmmmmlmlllmmmlmmmml ^ from .
ljlkllllllllvjillmlnmmmm ^ fun
lklllmllllmmrllmmmmmmmmm ^ fun xX
ljkilkkktjllisjlllllllll ^ func
llllmllmnlmmkrlmmmmmmmmm ^ func xX
mlllmlllmlmmkslmmmmmlmmm ^ func x_x
ijrmkijkjkjljkkqpljltlll ^ function
ljnnlllpllrlomkmlmlllmlm ^ get
mklllpolmlllmmmmnmmllmmo ^ goto
llllmmmmllmmlslmmmmmmmmm ^ guard
lknnnkkmlkklpkkllplllnlm ^ id
llqollllllllkklmlllllllm ^ id :
olmmmmmmommmlmknoiknmiii ^ if
llkkllllronllmlmlmlmommm ^ if !
iooopooodfhnmemigjijgkjk ^ if (
mmlllllmlpmmlrlmmmllmmmm ^ if let
plllllllklkllkllqllnklll ^ if not
pkkklkkloolljnklmlmnmmml ^ if x_x
nlllllmllrmmlklmlmmmmmmm ^ impl
konnnjjimijkomokkkpjlkki ^ import
kpllkllkkllmqlomlmllllmi ^ import org
mmmlllmkjllmqlqlllnlllmj ^ import x
lkqpnkllkkllklkmlllllmll ^ import {
klkkmklmlkllnjklllosklml ^ in
mqhikponkjlkkkkkmllkllkl ^ int
mklklllrmlmmqlkmmmmmmmmm ^ internal
ljnlnnmlljpkokjlnlllllll ^ it
llonmllllkllklkmommmlmmm ^ it (
mlllllulmlmmmmmmmmmmmmmm ^ json
hgnnkhhkhrhifrhihjosikkj ^ let
mlllllllmrmlllmmmmmlmmmm ^ let mut
jjnlljikkrkkiqjkklorjllk ^ let x
ljmmmkklknllkpkllmlplmml ^ let xX
kkmnklkllollkoklllnqllml ^ let x_x
ikhljjkkjkjkjijswkjkjklk ^ local
klllllllllklllloslllklml ^ local x
lkqmllokmmolklplklklmmll ^ m
llmlklklkqmllkllmllqllmm ^ match
olmrijpnllnlnlkmlmlmlmml ^ message
kmpijkljjkqlnkjlllqqkllk ^ module
kllllmlkklpmjlkmlmprklml ^ module Xx
llklkllllllmqlklrmmmmmmm ^ modules
nklmmllkonkkomlmmnlklkll ^ name
pllknlllklllnkmonmlmllmm ^ name =
mllnlksnllmmmlllmmmlmmlm ^ namespace
konkklkokkkqikqllllllllm ^ new
kpkmlljnkklpikqlllllllll ^ new Xx
llmkllmmllmlmlrmlmmlmmmm ^ object
klkklllllkllqpollmlllmlm ^ override
lmmlmmmmmmmmllrmmmmmmmmm ^ override def
lllklmllllmmujjmmmmmmmmm ^ override fun
qlklllllkllmlpkmnlllmmml ^ print
qlllllllkljmkpklomllmmmm ^ print (
jqgmkjmnjjnoqookklkkkkkk ^ private
lkmlmltlmlmlmmmmmmmmmmmm ^ private :
mqlllllmmlmlknlmmmmmmmmm ^ private static
lplllkmnlkmqllnmmmmlmmmm ^ protected
lllklkmklulllklmlmlllmll ^ pub
ksgniflshikqhoikkkkjkkkk ^ public
mkllmktlmmmlmlmmmmmmmmml ^ public :
lpkklkkqlllnlkllllllllll ^ public Xx
lqlkllkqlllkkllllmllllll ^ public class
mklkllljllmulllllmmmmmmm ^ public function
mollllkollmlllmmmmmmmmmm ^ public int
mplllkjnllmolnlmmmmmmmmm ^ public static
mlmlmllpllmnmlmmmmmmmmmm ^ public string
lrllllkqllmlkllllmmllmmm ^ public void
slllmlllklqmlllllmlmkmml ^ raise
llqkllllllnmmnnmlmlmlmml ^ request
llrlmmmmmmlmlmmmmmmmmmmm ^ request (
llnnlmnlllolllklmlmlomlm ^ res
lkpnllolllnllllmmlmmmmmm ^ res .
nomilmmlmlnlmknmklnlnmlm ^ result
mlnllpkmllmlmklmlmnlmmmm ^ result =
omnnnmnmojimmngjoimgmhgk ^ return
lkmopolmkklklmklklnllkll ^ return (
lmkkkonlnlknkllnllolklll ^ return 0
lmnmommnlllmkllmlllllmlm ^ return ;
llkolqjlmlmmlmmmmmmmmmmm ^ return XX
lmmlkmlmlmkmnnjlklolnmll ^ return Xx
lolpklkollmmklomlnmmmmmm ^ return new
llllllllpllllmllnmlllmmo ^ return nil
llknlnlnnllmklmlolllmmln ^ return true
nmonklmmojjlnnikmljkmlkl ^ return x
mknonjmlklmllkmmqmlmlllm ^ return {
mknnkmnkmmpllkmlklllmlll ^ s
klmnlmmmnmqmmlmlllllllmm ^ s .
qjkkjklkjpnmiqjlllkkjlll ^ self
rjkkkklkkplljqjlklkkklll ^ self .
lmmllmmmmmpmlmlllmllllmp ^ should
lmkllmmllllmrllmmmmmmmmo ^ single
mkkllqpjllmlmmmmmmmlmmlm ^ size_t
lmpjkpokkklkjpkllllllllm ^ static
lkkllirklollllllllllllll ^ std
lkkkljsklollllllllllllll ^ std ::
kknjlllslmmmmllmnmlllmmm ^ string
nkkkkrnlkmklkklnmllkolll ^ struct
mookkkkkkkpllqmmlllllmlm ^ super
lmkklmlllllmmrnmlmmmmmmm ^ super .
lllokkmlololklommlknklll ^ t
mmknlllkplomllnmkllmlmml ^ t .
mljpjkrlllmmlllmmmmmllln ^ template
lllomlmlkkokkkmpnlmlklll ^ test
klllllllllkmlllpkmrnkmml ^ then
mnonlikmkkkkmlmlkllkllll ^ this
lnoomjinkklklkllkllkllll ^ this .
konllijmjjlnommlklllolll ^ throw
lqnmmkjnlklmjlomllmllmlm ^ throw new
poklmjmljjklmmnkkllpmlll ^ try
lonnmklklklmnkollllllllm ^ try {
ljnooklhnkkkjimlnlkqkkkk ^ type
nlnkllmllllmllklsmlmmmmm ^ type =
mlllltllmlmmlmmmmmmmmmmm ^ typedef
llllmqmlmlmmmmmmmmmmmmlm ^ unsigned
mkmmkljllqnollmmmmmllmmm ^ use
ljllkkpqlklllllllllkplln ^ using
ihhjjlgjjjjkshtkiljpjkll ^ val
jijklklllkklrjrlklkoklll ^ val x
kkkklllllllmqjpllmlmlmml ^ val xX
kklllllllllmqkomlmmnlmmm ^ val x_x
jgrghhgrsimjornkjkkjkmll ^ var
ljnjkkkpnlllnqmllmlllmlm ^ var xX
pojjmnpllklkkllllllllmlm ^ void
lllllklllmtmqklllmmmlmml ^ when
lllmlllnlnlmlllllmsklmmm ^ where
onnkknnlkmmllinmnlklmllm ^ while
lonljnnklkmlmjpllllllllm ^ while (
qlkkllllllllknqllmlokllm ^ with
nlmlllllllnimmmomimmnlmo ^ x
jinmipnimlllpjmjmloknkjj ^ x (
nnmnnilolnlkjikkjjilmmlm ^ x ,
olmmmkmmmlnimmminhjjijjq ^ x .
lhnnmjhklmnjlmkjijikhmpn ^ x :
lkkklkqkkpknklllllmkqlll ^ x ::
olllmlkillninjknphnkonih ^ x =
iklmkkmllrllmkklkllnrlll ^ x!
klklllnllrlmlllmlmllqmmm ^ x! (
mlmmmlmklknhmmmmkknkmjgi ^ xX
mmmnnomhmklknmnjjlmilkkk ^ xX (
mjmmkolkkklklmmplolmmmll ^ xX ()
llnonmmlkljkjkmljkkkmlkk ^ xX ,
nmmmliollllkmonlkjjklmll ^ xX .
jinmnlikknkjknlkjkjokjjm ^ xX :
mlmmllmlmmlmlllmmmrlmmmm ^ xX ::
oklknkklnjljnjmmmjoklmkk ^ xX =
mllllmmmlmmmrllmmmmmmmmm ^ xX {
mkmmlnmjllnimlmoljmlmigj ^ x_x
mmknmolhnjolnmljkkmilkkk ^ x_x (
ljllnrkllkllolmolmmmmmmm ^ x_x ()
llnnmommklkkikmkjkklnlkl ^ x_x ,
nmmmnkmlkllkmomklkkjllll ^ x_x .
kjmnmmikmnllkmkkjkkmkmko ^ x_x :
nkljmkljmkmjnjmnmjoknkkj ^ x_x =
lllklllllsmmmlmmmmmmommm ^ x_x!
llllllklmsmllmmmmmmmlmmm ^ x_x! (
heklmpotlkirehijlijnhogh ^ {
mllllprmmjlmlmmmjmlmllmm ^ { "
mmmmlmlmmmnmmmmmmmmmmqlm ^ { %
llklklnkllllklllmmkllull ^ { {
mllllllkllmllllmmmmmmtlm ^ { {-
kjjnllkjjjikkjklkknqjkln ^ |
lllpllllllllllkllmmollmm ^ | Xx
innnmmmnnnknonnkmfiicinf ^ }
jioopgjkmnmmjkjkmjjjjnjk ^ } )
mionnjhiolkllkkkokjkinjj ^ } ,
mkllllrkllmmnlmmmmmmmmmm ^ } //
kkoooloninkkjjjlkllkkljl ^ } ;
knnnnlmkmnjlmmnkjlkkklkl ^ } else
mloirmolnjllkllllmlmmmmm ^ } }
jgkhjmgjooijiprkokpqjlkj _
mllmmsklmlmlmmlmlmnmmmmm _ (
llnklklmkonllkomnlomlmmm _ )
llkmlllmolllnmnlplkollll _ ,
kllllkllllllokjlllprllmk _ ->
mlsllkmmmmmmllpmlmmmmmmm _ .
mljkllllkolmlrllnmmlnmmm _ in
pklmjommgjkmhlkomnhiniim _x
jkkokqmmkkllkploklllkllk _x $
piljiomikkjpjkmkjokkqlll _x (
njlomqpmllmkkljnkllljmlk _x )
qkooiljmklmmkkmlmllmllll _x ,
rmoojlllllllllllmllmllml _x , $
qkkmlllollknlllknllllmlq _x .
nlmmljnmklljkqlmolllllll _x =
jgoqnhiiojhiliilijnplijr `
liqpqjkllklkjljnklllllll ` "${
klkoklllqlklmlmnlllllllp ` $
kllrllllmklljkmmlllllllo ` ,
mllnlmmmllmmlllmmmltlmml ` Xx
lkmlmlkiikjknimmnmmmlpkm a
nmmlknoklkllololnlknjmll a ,
mnmnjlknlmlmlllllpllnlml a .
mlmlmkmllllllllllllllpll a >
llplnllllllllllllllllmll a > $
mmllllllmmmllmmlmmmmmomm a class
opnnljjikmllolknmkknkmlk add
opmnmiljkmmmpmllklllkllm add (
plokjlkklmlmkjmmklllmnmq all
lkkjllkjlmjkoijlskimiolp and
kjcpqkjjqlkklomnklllknln any
mlhqplllnmmllllmmmmmmmmm any )
njnnrkkkkkmkljkmjkllkllm app
mlplolmlmllmlllmlmmmmmmm app )
mlqmmmmmmmlmlmmmmmmmmmmm app ) $
nkmmqllmlkmlnllmklmllmmm app .
ooljkjolplmlmnmlllllkmml append
oomikjnkpkmlmollklllklll append (
lmpjlllllllmqlpmlmlmlmmm apply
kkjolnmllqmmkllmmmmnmmmm arg
mllllsllmlmlmmmmmmmmmmmm argc
nlloikmllookkilmqllmmlll args
ojoilrmllklllllllmlmlmml argv
nlmllqllmlmlmmmmmmmmlmmm argv [
nonikkqlllmlklmllmmmlmml arr
pqmjjjolklnmmkklllknkllm array
pkgpqihkipkmlnkkjknnkjkp as
nkgrokklklllpojlllllllml as Xx
qhpkilmkmjolkjnkrjjmhlkk assert
jjjmknnmkklmnmplqlklkmlm assert (
jkrhjkkkpkklkkjltklllllm assert .
mklllllmmsmmlmmmmmmmmmmm assert!
mklllllmmrmmmmmmmmmmmmmm assert! (
lqkklkjklklnnkrmlllllmll assertEquals
lpkkkkjjlklmokqlllllllll assertEquals (
mnlmmmllmlmommmmmmmmmmmm assertSame (
krkkkkkklkllskilllllllll assertThat
lrkkllkklkllskjmlllllmmm assertThat (
nrkklkkllllmmlpmlmlllmmm assertTrue (
mkllllklmsmlmmmmmlmmmmmm assert_eq!
mkllmlklmslmmmmmmmmmmmmm assert_eq! (
njoopmjlkplljnkllmlllmlm async
qlmkknllklllllllllqllmmn attr
rmkmlmmmllmmlmlmlmmmmmmm attr .
lijkliwklkmlllllmmmlmqkl auto
khoqpjimkmkkjlilkklkllll await
lmknjmmjnnkjljlnnklmolkl b
mmlnkkllrnlmmkklmlllmmmm b .
llkjnlllmlmlllllmmmlmmql background
mllkmojollnllnnlmlnllmml base
jjhqmllkmmllkklkkoklknln be
llitkmmmmllmllkmlmmmmmmm be .
jjnjlmoklkplllllklloplll begin
kmlklmllmlqlomkllmmmllpl block
jljklkkkkkqlpmkkpmmkkomo body
ohlhinopopknjijlllkqkllk bool
luiqojjkllllllnmlmmlmmll boolean
nlmokmmlomkkokiomkkjknjk break
knmnkomnknlmkkkklllkllkl break ;
knmnmonnkllmkkkmlllkllll break ; $
jjmjkpmkoqlklkllmlkmolll buf
mknljmmqllllnkollllmmmll buffer
looijmkkkmllojnprllmllkl build
lpjllllklmllqknmlllllmmm build ()
lqjmkklpllmlollmlmlmmmmm builder
llrlnllllllllmlllmlllkol button
kmlllokllllmoonllmlllmlp by
lqklljmoqnlllllmlmmllmml byte
mlimimkmnllilhmllmnlnkkm c
nljomojlmllmlmlmmlqklmmm c ,
pkjlkjlkpklljjnkjojkqlll c .
gmmlknmmnhlmhpqnijqhhkji case
klmqmjkmmllllnlnmmlmmlll case "
klkkllllkllmltkmlmlmmmmm case .
lqnjlpmllmmlmkmmmmlmmmll case XX
knomljmmjjkmommljlllqnlk catch
lonoljnmkklopjhmlmmllmlm catch (
nlkklllqnrklllklmmmllmmm cfg
lllllmlpmllmlllmpmllmmmm cfg .
lolijpomkkkkkkkllknnjlkm char
mjjklppkllmlllllnllllllm char *
lnoopklllmlmlkjmlllmljll children
mpjmiimnhhopqlojikjjipji class
mqllllllmlloollmmmmmmmmm class )
lrmlmmllmllmplkmmmmmlmmm class ,
lmllllllllpmqlkmlmmllmmm class .
klijjlkklllnkllkkllllslk class =
nnomlimohipmomnlkkkkkjkk class Xx
lklklllsllnmnlmmmmllllml class Xx $
knqlqllllklmpkklkmlllgmm className
kmplqllllllnollllmlllfml className =
onmkkmllpkllrillmmlmlnlk client
jnollkmmlpmllklrllllmlll clone
mlnjmllllllmqiomqmmllmmm close ()
mklkklklmqllkkkoplnmklll cmd
lkllojjkkjklmmokmklkjonm code
mlklomllmmmmmmmmmmmmmpml code >
mmlmlmmmmmmmmmmmmmmmmpmm code > $
kkklojmklmmlnkkklllmkmsm color
nmjqklmnlmnmlllmlmlllmnm column
knklllllllkmnllqlllonlml compare
lmtiimllklmmlrmmmmmmmmml completed
llmjjkkmnmolkjpnqlkmkllk config
lkmklllmmnollmpmmmlllmml config .
lqllmllomlmmlnlmmmlkmlmo configuration
polrllllkllmmjjmkmlllmll connection
hdoppmnilkhnkgfiihkmkjjj const
llnmmlrkkklllllmlmllllml const Xx
mklklpmlllmlmmmmommmmmmm const char
jhpqphlkkjkljkjlklmllllm const x
kiopomkkkllkjjjlllllmlll const xX
ljononnklkllklkllllmllll const x_x
lkploipklllllllmmmmmmmmm const {
jkjpikkkmkqlnkkkmllllorn content
mompjimnmknlmmklllllklll context
lolokkknnllmonkmlllllmmm context .
omipkqhmknmmkqlkllllkmlm count
mkllljtlmkllmmmmmmmlmmmm cout
lklllkrlllllllmmllmlmmlm cout <<
llllmlkllrmllllmmmmmlmmm crate
lnpjjllkkmlnooklkmkqkmmm create
nkmkmpnoqjklljllnlkllmlm ctx
mlnjkrkmnlmmmlmmmmmmmmmm ctx ,
pkklktklmllllllnllmllmmm curl
mklllslmmmmlmmmmmmmmmmmm curl )
lkjpnjnlllmlmmklllpmlmmn current
lkojnojmnkljnkknlllmlpkk d
nknklnmimlpjimljlkmjlonk data
mmlllpmllmollnlmllllmmmm data ,
qjihjkjjijtkjhtkjkmlikkk def
nllkllllllrmkkqlllllkmmm def x
olkkllllllqmjkrlkmllllml def xX
olkkllllllrljkqlklllklll def x_x
mmoimnmmnnkkhljnmkjjmkkn default
jmnklqpllmkllkljmlklkmll define
mkopjjrjnlnllkllnlmllmlm delete
mkmokkmlnolljkmnnlknnmmm dir
kjnkpklkkkkokkkkklkklomk div
llnonlkklllmklllllllloll div >
llpmnllllllnllllllllloll div > $
llkljllllllnlllllllllqll div class
hiiiikmmijtkjlipqkrimjkm do
hjjjkliljjukjjjprkskhjkj do $
kmllmmmmmltmlllmlmlllmmm do |
lkplollllknlkllmlmmmlnmm document
lkrlkllkmkkkllltkllllllm done
llmlllllllllllltlllllllk done $
mmpnmmlmmmmmmmmmmmmmmmmm done )
lpjklpplllllkmlllkllklll double
mlislmmmmmlnlmlmmmmmmmmn driver
mokljolkllojmlmkknnmnkkk e
mqjklmmlllolklklmlmlnmlm e )
llqklmlmllslllkmkmlllmmn each
llklllllllkmlllrklklllln echo
ljponlllkkllklllplllkllm el
mlvijkklllllllmmmmmnlmmm elem
kkmqoiklkkmlmnklllmkkmmm element
nmhnrkllmkmmkmklllkllnll elements
mllmlmllklmlmnnlljonmmil else
giiijpnojjpjhnmopkiopkkl else $
rmmmmllmlmlmmlmmlmmmlmmm else :
smlmmllmlmlmlllllmlmlmmm else : $
lnnnllnmlmjkimnkklnmkmlm else if
jnnnklnjkmkmmonkjlkkklkl else {
knnnklnjlmjmlnnkjlkkklkl else { $
lkkkkkqklmlllnqonlmmlmmk empty
ghhihljhglslfgghrikmqnim end
eihhihiihhtihhhisjhosijm end $
mmjnlmmlmmkmlllmsmmmlmmm end )
mmlnmmmmmmkmlllmqmlnlmmm end ) $
mmmmlmllmmllmlmmnmmmmrmm end }
mllmmkrmmlmmmmmmmmmmmmmm endl
qkljnllklpqkjkknllmojlnk env
nklklnkllpoljlqmmmmmlmmm eq
mkllllllmpolklpmlmmmlmmm eq (
mlpqkmlllllllmkmnklnlmmm equal
lmppklllllllllkmmlmllmmm equal (
mmqllmmmmmmmmmmmmlmmmmmm equal ( $
nrkklllllmmmmmnmommmmmmm equals
nskklllkllllllomommmlmmm equals (
kjllkljjqmkjjkkmpkmlmllk err
lknmllllookllmmlnllmmllm err )
llllmlllqllmlllmlmlmllmm err :=
lljknnklplmlllllplllllml err =
mklllsllmmmlmmlmmmmmmmml errno
himnlnjjoklkkokmklmlnllo error
klonjpjkkkkmonklmlllnlll error (
kkmpokkklkmmlnjllllllmlm event
lhnppkijnmmjilimjjkmkkkl expect
liopojjkkmmkiljlkkkkklll expect (
mnonimjoomnllkklklmmlklm expected
lmmllnkqmlmmllmmmmmmlmmm expected ,
kjqrokjkjkkkijjpkllkolll export
mlmqlmmmllmmkklmmmmmmmmm export class
koqpllijkkkmjktllmllllll extends
lnqomlkjkklojksmlmllllml extends Xx
nljlioljonljiioonkoonklk f
tmmmmmmmlmlmlllmlmmmlmmm f"
rmmmmmmmmmmmlllmmmmmlmmm f" "{x}
smlmmlmmmmlmlllllmmmlmmm f'
lmjkljolllkkmlkqlpllklkm fail
lmlllllllllllllqllllllll fail =
gnlnmklmmmmmlmmkkphnnkjl false
jjnmijijnloknpnlllkoklko false $
jmimnmlmknlmjmollmknqlll false )
imnllinnmmknlkllopkmnllk false ,
ilnlnjlmmnknklllnrlllllk false , $
lnkomnomknlnjkklllllmllm false ;
lolmnnnnkmlojkkllllllllm false ; $
lkllltjlmlllmmlmolmmlmmm fd
llkkllllllklllltklkkmlln fi
llkllkllllkllllrkllkllln fi $
moljlmqomjllnkjllllommml field
mjnkjnmllnmonkkoklmnmkkm file
noqnkmllkllmkkklllomlkmk filter
lvjjkjijkklmimolllllllll final
mrllllklmmmmlllmmmmmmmmm final String
lskkllkklllllllmlllllmlm final Xx
mlqkllollnlklmmmnmnmlmmm find (
kjjollpommollolllmmmlmml first
nllklpllmmllnllmnmmmlmmm flags
oqkklmonllkmklllkkloklml float
kllllmllsmlllkmmnmlmlmmm fmt
lmllmlllslmmllmmlmmmmmmm fmt .
ljlqjlkkktlmkillllklklll fn
llllllmllrmlllmmmmmmmmmm fn x_x
lmlljklllllllmllllllloqk font
llllllllllllmlmlllmllopl font -
nmippkokllnljkpmnlmlllmm foo
qnlklkljopikknlnokljomkn for
knnmonoljklknjlkjlkknlll for (
lkkklllrllmnklrmmmmmmmmm foreach
nnpikmjlmmllkkmmnomlklmn format
skopnkiminkmjliljkjikmko from
nkooojkkkkmllllmmmllmmlm from "
qmllmmmmmmmmlmmmmmmmmmml from .
rmmllmmmmmlmmmlmmmllmmmm from x
lkqjkmlmnnlmllmmpmlmmmmm fs
llqlkmmmmllmlmmmpmmmmmmm fs .
khiikkkkjjkkxihkllisnlll fun
ljkkllllllllukjllmlllmlm fun xX
llllmmmmllmmtlkmmmmmmmmm fun x_x
nipgklmiuikkgthkklkkkmll func
mlljnjolulmmljlmlmmlmmmm func (
lkllllllmkmmjukmlmmlmmmm func xX
mlllmmlmllmmjulmmmmmmmmm func x_x
gfomlihhhhnrihiptkinplkk function
mmlmmmnmmlmlmlmmmmlqmlml function $
kjriikklkknnklllrllllmmm function (
kjuhillllklmkkklsllllnmm function ()
lljlmlmmlllmlllmtmmmlmmm function () $
ljpqhlljkllrkkkolmllpmmm function xX
kkoniklklllqlllmllllomlm function x_x
mnmklikpjlpknkpljmkmmkkk get
oqomlkijlmnmljmlklllnlll get (
mmmlllmklllmqlpmmmmmmmmm get ()
mklllllrllmllllmmmmmmmmm get ;
lllklllmllllklltnllmllln git
mkhompolmlmlmmmmmmmlmmmn goto
lkhsjlllnlllllqmmmmomlml group
llllmmmmllmmksmmlmmmmmmm guard
klkmqpnknkkkjkmjmlllllkn h
mmksjlnmmmmlmmmmmmmmmmmm h (
mmjhtmmmommmlmlmmmmmlmmm h .
mmllkllmlmmmlmommmmmmomm h4
lnklmmklkmnlmokmrmmlklmm headers
kjnopjjkklllnojkklllloql height
llllollllmlllnlllmmlllql height :
lkomolllllllklllkllllnll href
lkniolllllllklllllllloll href =
mmmllmmknjmhllkkmnkmnkjk i
mmlkommmlmmmkommmmmmmmmm i ))
lmnmllmnmlnlllllnllnkmmm i +
lmmplmmnmllllllllllllmlm i ++
mmmlkmnjonnlkkmlmlkmommm i ,
kmmolmnllllklklmplnkllll i =
kmmllonnmklklkikmlkknlll i ]
mjmnoljjkilknhjkmolkmnlm id
llponllkkkllkmklkllmllll id :
mlkmolllllmmmlllnllmlnmo id =
nllmlmmmompmlnmknilnmlhl if
llkkllklromlknlmkmlmpmmm if !
hoooopopdfhnnenjgjijhkjk if (
mllllmlmlpmmkrlmmmmlmmmm if let
qlllllllklkmllllrmkmknml if not
njjkkjnjpookilliollmonlm if x
okkkllllmmnmjpkmnmollmml if xX
mnkmjkllmlnmkqlllmnllnom image
nllklknllrllllmmlmlmlmmm impl
pnnmnkjhliikomnkjkoikjki import
lollllmklllmqlpmlmllllmj import org
qnljlllkjlllokplllnklllj import x
oikkgihmgmhilplpkklqpnnn in
ikijkkkkjjjlitiojllvjmll in $
mlllnmmllmmmklsmmmmmmmmm in {
klllkolllnlmkkkkklkpmolp include
nlmnnjnnklljnmjllllkkonl index
nmmlkolllknmklnnnmmnllmn info
jkllimkkoklllrkmmlmnmmll init
klmnjlllllllkrmmmmmlmmmm init (
lmlmllmllsmmljlnmmmmlmmm inner
loqigmmqnlmkklmlmlolknml input
nnjlkjnklnkllmlmronllmlm insert
mmitklllllmmonkllmomlmmk instance
mqmmnkkkllmolllmmmmmmmmm instanceof
rpfgiopqmijljiijkjjnimjj int
mrllllklmmmmmmmmmmmmmmmm int []
moillloolmmmmmmmmmmmmmmm int i
lpiklnomllmlllllnlmllmlm int x
lpkkkllrmlllokjlllllmlkm internal
jlkklknlmoklnllmolllplll io
lmlmmmmmmmlmollmqmllkmmm io .
llllllpllolllllmlmlmnmmm io ::
mjkhllkojnkkpijmlqjmjomm is
kimmmnokkipksikkmkkmlmml it
llpnlllllkllkllmollllmlm it (
nnlnmmkmmlmllmklmmllkmlp item
monkkmnknjkkkjlknlmlmlll j
lplllllkllllqlpmlmlllmll java
lqlllllllllmnlpmlmllmmll java .
pknmmjnllonlklnllllllllm join
okolmlmllnnlklmmkmllmmmm join (
mnkjjjtnljnlilolnljmnmll json
mllllltlmkmmmmmmmmmmmmmm json ::
lloimlokmlnlkkmlnllollll k
momomllinkojlnlkkkkkmiko key
klkmljqknlllkknlmlololll l
pllnpllkklmlkokljlmllmln label
opmlpinllkllllklllllkoml left
ojkikomjpolkljklllkmomll len
rlllmlllqllmlllmmmllkmmm len (
iooonkklkjmklkkkikomqllk length
jmllmlmmmmlmlllmlmmltmmm length (
gfnnlgfjhrhihsgihjosijkj let
mlllllllmrllmlmmmmmlmmmm let mut
jinlkiijkrkkirjkklnrjllk let x
kjnmlkklknkljrkllmmollll let xX
kklnkkkklnllkpllllnqllml let x_x
lknllnkkllllllllllllmpml li
llnlnllllllllllllllllpml li >
llnlllllllllllmllmllmqmm li > $
mmlmlmmmmmmmmmmmmmmmmqmm li class
llllllmmllkmsllnlmlllmmm libs
llllmmmmlmlmtklmlmlmmmmm libs .
nmiolokllplnlmlnnlmlkkol line
nonjlpjlllllkkkoplkokmll list
klmllmmmmmmmtlkmmmmmmmmm listOf
kllllmmmmmlmtlkmlmmmmmmm listOf (
ikhmjkkkklikjkjsvkjkjklk local
klkllklllllmlllntlllklmm local x
lmpmjpiklmkljjokplknlnlq log
nnnllkllmlpmollmlmlllmml logger
kqkklnoolmllllllkkmmllll long
kmnlinmlomokjilkmjolnlll m
mkljknqklkklmnmllllmlloq main
immmlmikpplllmmlklqomjll map
jormgllllplmiknlklomnlml map (
lmmjllmlsmmmllmmmmmnmlmm map [
mkmnjkjklomljjololjrilll match
mmllmmmlllmmllsmmmmmmmmm match {
mmllmmmlmlmmllrmmmmmmmmm match { $
onlojknolknlmmkkknkkkmkk message
mmmjplllklllklllnmomlqml meta
mllnlklllrllllllommmlmln mod
mlojikkjlkolpjikkkqqjnlj module
kllllllkllpmklkmlmpqklmk module Xx
lmlmmmmmmmrmmmmmmmlkmmmm module Xx $
knklkllllllmqlkmsmlmnllm modules
olhlmmnlmpolmmklmllnllll msg
lkkkllkllulllkllllmllmlm mut
nmmijmnimlkjiinkmonmnkkk n
nkmmllkkmlnklmkmnnlmkmll name
nnojlmknlmllnkklnolmlmlm name )
nmlmlnkknnnllijlplmmklll name ,
olklllkljlommllnllmmloll name =
lllmljtnllmmnkllnmllmllm namespace
fpomkfjojmrpdfpjmlihhjjn new
kkkjkllmnrrlmkilmlkljlll new (
llllmllmmrlllllmnmmlmmmm new ()
irnokhhphhmqdhqkjljjikkk new Xx
lqlmmmmlmlmmnlmmmmmmmmmm newBuilder
mrmmmmmlmlmmmlmmmmmmmmmm newBuilder ()
llonjmolkkoklpnklllljllm next
llmmlllllllmnskmnlmmkmmm next (
hljjjimksjrlirjlqlkkilln nil
klkkllllqlrlknllomllkmll nil $
ilkkkkllplmlkpklqlllklln nil ,
llllllllrlllkolmlmlmmmmm nil {
llllllllrlllkolmlmmmmmmm nil { $
pjopjkpkkjnlmiklkllkkllm node
qjgnmljjkmilkjjjpmonkmmo not
kmllmllmllkmmllmkmlmtmmm nothing
hpmnofhohhipognojlnijmkj null
llnmllllllllpjnllmollmlm null $
kqkmnghpkkllojnnlollllll null )
lijnmkkrllmmllonlmmmmmmm null ) $
jnlnnklokkkoojklllklknlk null ,
mpmpmjkolllmkllllmlllmlm null ; $
mklllgxlllmllmlmmmmmmmml nullptr
mlllmjtlmmmmmmlmmmmmmmmm nullptr )
olponnlnjkjliijkllljklkn number
mllqkllollmmlllmmmmmmmml number ,
mmtjinmmmmmmlllmmmmmmmmm number .
knlklmjolllmllmmlomlmmlo o
mopkknjlmlkkklplkmllommm obj
mjmkillojjnkpnqlkllkkllp object
mllllmlmllmmllsmmmmlmmmm object Xx
mmmlmlijjlkmklkkkkpnjllp of
lllllllllllmlkkllmvkllml of $
mpllllllllmmnlmmmmlmmmmm of (
kjlklllkplkkmmkmoollkllm ok
jllkmllkllnlkqmkklmlnnmn on
nkphommkllmlnlkmmmkrmnmk open
mkmkljsmllmloklmmmlmmnmm operator
jloiinkklmnmlllmmlmslnlm option
mipoinomkjokkojlllnjjmlm options
lknoknnnmllmlnlmmmlllmmm options .
klmnjnllmlollklmnlrklmmm opts
mkmkllkmkkklnkllslkjimmo or
jpkkkllkjkklololllkklllp org
jqkkkllkjlkmolnlklkklllq org .
qlkkljnlnlkllolmollmkllm os
plkllkmlollmnkllomlllmml os .
mmklknlnnnlllmmlllmmllln other
omjjkmlnmmmllllpmlkknolk out
lorhkljnlmlklkkjnnlmlnln output
jjkjkkpqkllkrnolmllllllm override
lmmlmmmmmmlmklsmmmmmmmmm override def
mllklmllllmmtjkmmmmmmmmm override fun
lkmnjnnlomljillkmkmljnoi p
lmolnmllllmllmmlmmllmpmj p >
lloknlllllmllllllllllnlk p > $
mokkllllolklnlqlplknlllk package
lkomnlllmkllmkkklklllonq page
kokkllmlmmmmjltmlmlmmnmm partition
kmmlkniknpnklojlolioioln path
ompnklllmnllkkkmmllllmmm path .
mlkolllllmrmnlkmlmlmlmmm payload
kommlmlkmmkllkmllllnqmll pos
mnmmlkknllllpklmlmmllmrl position
lljrklllllqlnlkllnlllmml post
plkklkklklklkoknmllmolnn print
pmlllklllllmkpllnmllnmmm print (
llllljrllommlllmmmmmmmmm printer
kokklllllllmpkplkmlmqmmm println
kolklllkllklokqlkmllrmmm println (
iqhmkimojjnnonpkklkkkkkl private
mkmlmlslmmmmmmmmmmmmmmmm private :
mqlmllknmlmmlnlmmmmmmmmm private static
jloljlkmllolnskllmlllmmm process
klpjmmmllnlmrkmmkmlmmmmn project
llpmrklklllljjnlkmlllkmm props
lloirmlllmlmllmmlmmmmmmm props .
loklllmplllqklpmlmmmmmmm protected
oljnllmnollmlllrlmlmllmk proto
ljlklqplllmllmmmmlmmmmlm ptr
llkkkklklwllljlmlmlllmll pub
isfoiglrhhkrhphkjkjkkkjk public
mkmmmlslmmmmmlmmmmmmmmmm public :
mkmlmlskmmmlmlmmmmmmmmmm public : $
lrkklkkqkllnkkllllllllll public Xx
lpllllkrlllklllmlmllllll public class
lkkkllljllmwlllllmmmlmmm public function
mpllmlknmmmlmlmmmmmmmmmm public int
mplmlkjmllmolnlmmmmmmmmm public static
mklllllpllmnllmmmmmmlmlm public string
lrllllkqllllkllllmlllmmm public void
lkopkkokkomlkjkmllmlllll push
llppkjnklpmlkkjlllmllmmm push (
lpmlmmllmmlmklqmmmmmmmml put
lpmklllllmmmmlpmmmmmmmmm put (
lllllnlllltllllllmlllmml puts
moolllllllomlpkmlmmmlmmm queue
nlkmjomjpmokkkmlkknomlll r
pllklnmlpmpljjmlkllmkmmm r .
slllmmmllolmmllmmmkmnmmm r"
rlllllllklrlkkklklkpklml raise
rlknkkmkrlnlklklkmlljoll range
ljnqmnjoknlllkkmllnnlkll ref
llmmplllllpmkkllmlmllmmm render
llrkllklplllllmnllmllllm req
mlqmlmmlnmlmmmmmlmmmmmmm req .
lonkkkkkmkmlopmlllklknlm request
llrklllllllloolllllllnlm request (
klqkklllmlplllllqllllllk require
kknojmnkjmllknjlplnkolll res
llonlknlllnllmlmnlmmlmlm res .
kltokllllkllkjlmlmlnlmml resolve
mmnjjlljljmloonlnlklkllm response
mnmjjnnmlllilomlkknklnkj result
omllljollkllmoomlllllmlm result .
njlnkpokollllklnmmlmlmlm ret
nnnnmmnmoiimmngkoinhohgi return
ljmlkkkmolkllolnnlqkllll return $
mlnopnllkkkkjmklklollkll return (
lknoqllkllllkklllllmlkmm return ( $
mmlkkoplmlkkkmlmmlnlklll return 0
lmknlqilmlmmlllmmmmllmmm return XX
mllmjmmnmmklnnjlllnlmlll return Xx
llllllllplkllnllnmlllmmo return nil
lllnkmlmnmlllnllplllllln return true
mmnnnklnokjlmlikmllkmlkm return x
nnmnhmlomkkknnklollkllll return x_x
nkoomjmljkmlljlmpmlmlllm return {
onmlninmlkmllllllmlllnom right
lnlokkolllmlklllmlkpomlm root
mmlmjkmkmkmlnmkmpmlmlllo run
llllmmmmomlmllmmqmmmmmmm run .
lkkmjnnkpmojjhkllnopmkkk s
lmlnllmnonplllllklllllml s .
lmitlmmlmmmmmllmmmmmmmmm save (
llmllllllmmmlrnmmmmmlmmm scheduler
lmnimllllkllukkmmmmmllml scope
mmknkmmmlmomlmmmmmmmmqmm script
lllknlnllllllnlmlmlllpok section
slnkkmkmmmllkkkllmlllnmo select
rijjhmkiiroogrjjokjiikkj self
qlkklnlkkpllkpklnmllllll self )
rlkklnmllollknkllmlllmll self ,
sikiijmkjrnkiplkmkjkjklk self .
llpklllllmomllnmnllllmmm send
mkmnljkojmnkmnmojljmkkkm set
nlnokkkklllnplnllllmlmlm set (
mllllllqllmllllmmmmmmmlm set ;
kljslmlllmpmkknlkmkllmlq should
mlkmknllkllmqlkmlmmmmlmp single
mnkolmmklkljlomljkjkpkol size
molkljrlmlmmmlnmmmmmmmmm size ()
lijklrqjllllllllllmllmlm size_t
ljllloplllmllmlmlmlllmmm sizeof
lkkllpplllmllmlmmmlllmmm sizeof (
llkmjmlomjmnmpknmllkmnlm source
klnmkllmllmollllnlmlllml span
llomllllllmolllllmllllll span >
mmkmlmmlmmmommmmmmmmmmmm span class
mmpnnklmllmmlllmllmmlmml split (
mknkhpjmlnlllkknllkonpoj src
lllllmlmnlnmllmklmlmmrlm src =
loklmnlllllmlllmnmonlmmm st
nmmlloknkokllnkmllqkkmlm start
mjpmnmjpjjkkkmjlklllplll state
kookioonjjlohojkkllkknkl static
mrmlmmllmmmmllmmmmmmmmmm static class
mlllljtlmllmmmmmmmmmmmmm static_cast
mllllkslmllmmmmmmmmmmmmm static_cast <
lijjkhskkqkkklllllllllll std
lijjkiuklrlkklklllllllll std ::
sknijmmkkolkjjjlllnnnlll str
rmlmmlmmlmlmlllmlllmlmmm str (
jhjonilpshjmjigjmjjpnkij string
llnpllljrlmojlkllllmlllk string $
llkoonknplnmkkkmlmmlmmmm string )
mmriklkpkmlmlklmqmllnmmm string .
mkllllmrllmllmlmmmmmmmmm string Xx
llllllllrmlmmkmmlmlmlpmm strings
lmlllmllqmmmlllmlmlmlpmm strings .
mjjikrmjplikjmknmljpplkk struct
llllloolkplllnlmmmllqmll struct Xx
nllllqklllmmmmlmmmmlmmmm struct x_x
klnlpkkkklllnkklkllknnpl style
lpnmjkjjknqllqmlklllklll super
kmllmpmnpllmknjmlmknllll switch
lklknknjoiljiimlnnmqhkkl t
lllllllmllkmklmmmnnrllml t $
mlilrlmmlmlmllommmmmmmmm t (
llnklmmmqlnllllmmllmkmmm t ,
mlmlkkkkokmljkllloloklll t .
mlnmljnmllllllmlommpkmmk t =
mnmklllmkklljkllplmlknnn table
mmommlmmkmkllpjmklkmkklm target
lmjoklkllpnlkrkllmlllmmm task
llnmkmllmlmllllllllllqnl td
mmmmkmmmmmnmmmmmmmmmmqmm td >
mmmlkmllmmmmmlmmmmmmmqmm td > $
llloilplmlnllllmnmlmlpnl template
llmnklninlmkmjmqnlnlilkk test
njmmlkkljkjjnmhkkpmnjomi text
mpmjmnlkkkllmkmklnkmkmmn that
kmmklomjimjnlkljjjhljnmo the
hinkiiijiiikjiirtkprgkkn then
hkjkkjkkjkikkjkqvlloillm then $
inonnhmmkjjjnjkjkjkjjlko this
joqonihllljklklkkkkklkkl this .
komlnhjnjjkmommljlkkrlll throw
lomjnjjpkllnjlnmlmmmlmlm throw new
msmllllkllmlkolmmmmmmmmm throws
mlnmlnklkmlllskmmmllmmml timeout
lkpnollkkmkljmjlknmkmnlm title
jnlmlnjilnmklnnlimjmlkjn to
nmmqkmmmmllmlmllmmmmmmmn to .
lknoollllkklllkllllllmmm toBe
lknoolllllklllkmllmllmmm toBe (
lkqnllllmkllmlmmmmmmmmmm toEqual
kooljkkkklllokpmlmlllmmm toString
lommllllllllpljmmommmmmm toString ()
lmlmmmmmmmtmmmmmlmmlkmmm to_s
klkllllllrllkklllmkrllml to_string
lmpmkllmmmlmlllmlmmmmpmm tr
mmomkmmmmmmmmlmmmmmmmpmm tr > $
mlllmmlllmlmklummmmlmlml trait
lklmjllllllllnmmlmmlmorm transform
fmmnmkllnlnnmmlklognmlim true
ihmnhiijnknkmnmnmpjmmkkp true $
jlmmlkklkmlpnnnmmklkomll true )
ilmmllmmokmmnjllolkmollk true ,
ikmnmjlmmlmloimlnmllmllk true , $
lnnmjonokmlnjkkllllklllm true ;
lommkoonjllojkklkllkllll true ; $
pmmlljnkjjjkmonkjlnnomll try
lnmnmklklkllojpllmlllllm try {
lomolkkklklmnjpllllllllm try { $
llmonjnimkljljklokjoinkm type
llnoollljmlmlllmkmmlmllm type :
nlnkkmmlkknlllkkqlllloll type =
mllkltklmlmmlmmmmmmmmmml typedef
kjppnkkolkklkkklklklplml typeof
llmllllrlllmlllmlmllqmmm typeof (
mmrjlnlmmmlmlmnmmmmmmmmm types
mmkllqklnmolllnmlmlmmmmm u
plklmnplmlmlllllmlllmmml uint32_t
pijklpqkllllllllmlllmmmm uint64_t
llnllmlllllllllllllllpol ul
ljnqpkkklkllkkkmllnmlmll undefined
mmkrlkommmmmlmlmmmmmmlmm unknown
klkmmllmllsnllllllolllml unless
mllllmmmmrmmlkmmmmmmmmmm unsafe
ljkllqnkmlmlllmlmlmllmlm unsigned
lllllmkmmsmmlllmmmmmmmmm unwrap
llmllmllmrmmlllmmmmlmmmm unwrap ()
plmphkjkjiklppkklllmknol url
iinnllikmrnnojjmllklklnn use
llkklkqplklllmnlmllkonlm using
mllllnkmmsmllkmmmmmlmmmm usize
lomllllkllkmlloksllllmmm util
lpmlllmlllkmllnmrmlllmml util .
kkjmiollomkkkimoplmolkll v
jiiigmiijklishrjiklnmkkl val
jjjkljklkkklrirlklmokllk val x
kjkklllllllmrjqlllkmlmml val xX
kjlkllllllllqkpllllnlmml val x_x
mlmmmnlplkojlnljjjjklkjl value
mnlnlllmmlolklnllmllmmmm value =
mljlmllmklolpokmlplmllll values
igqghggqqkkiosnkkkkkjnpk var
mlklllklpmllklllllllllql var (
kinkkjjpnkoloqnlklllllll var x
ljoikllpmlllopmmlmlllmlm var xX
mllnlkrlmlmmmmmmmmmmmmmm vector
mllmllqlmlmmmmmmmmmmmmmm vector <
ommkmjjjmlokkjpmoljpjjko version
lllklkmlmllmnqjmlmnlomml view
npfmnqqojiklhijkkkkjkkkl void
mjlllrolmlmmmmmmmmmlmmlm void )
lhlklmpslllklllmlmlllmmm void Xx
nrkkmmnkllmlkllmmmmmmmmm void xX
oqllllmkmlmllllmmmmmmmmm void x_x
kmnninlkrknllkllklokmlnl w
ilkjklkllmsnqokjkllmkmmo when
okkmllkmjmjmiljlklujomlm where
lllkllllknklkkkllmvkllmm where $
omnjlnmkjlmkllomnlklllll while
lnnkjnolkkmlnjollllmlllm while (
jknoojikklkllojjklllkqok width
lkkmokllkmllkpkllllllmok width :
oikkklkjikknknpkjkjrlmjo with
llllllllllllllklllktlmll with $
mlmlmmmlmmmkmmlnmnmmmlmn x
kkjjjknkmkokijnoklqqknlk x "
llllmlmmmmmmjltmlmmmlmmm x "$x
lgkkkjijljnhllkojnoolliq x $
nlnlkmmgjlnommmfnnmjnmnj x (
nlmnnimfhnlnlnmmjnipnjji x ()
plmmikkjkmimopnklkklnllk x () $
lmmlmnmmkmlhmllklknmmlmk x )
nlllkkjnmknjmmmmnmknomjj x ) $
mmlnhomnllkkllollllnnlll x ))
mlllmmmmmlkhlmllmlkkmmlm x ,
mmmnmkjmlmjjmlljmiminknj x , $
kkjlnjkijljmkijnkjjlioqo x -
jkhhkqpjkijnnjjkjkppmllk x ->
nmmmmkkmolmjmmnknmhijlko x .
kjllmlmkkmmlijlpkkjklmkp x /
ljmmmjgjkmmilollkljlgnoo x :
pkkkjkllkljlklkjkmmmkklr x : $
jjhhjgqkiqiokjmkllnmpjmq x ::
llkklllktlllkjollmlmllll x :=
imlkloomjljlhhikklionnqh x ;
inlmkonohmjkhhiiiljmklph x ; $
nmnmlmllkmmhmllmnnlmnnki x =
mlmmlnmklkmmljnkmkmnokkj x [
mlnllnkklmnknlimmllmmllo x ]
smmlmmmmmmlmlmllmlllmmml x import
nkmijmjojnjkknjmllkonmlo x in
lljjllkkklkmkhlnjlnnlmko x x
ijhmojkkjtqlkmilkljlrmln x!
jkihpklklumlkkllklklslml x! (
olkkkmklllllljkklnrmklmm x'
hikoqjiniktknqikjlkjjljl x?
kmlllllllmumlllljmllkmmm x? $
mmmmmmllllmlmmmmlmnmkjjk xX
klllllllllpmllknlmqmllml xX "
lhkllkhilknjmmmojkqnlkjk xX $
lnnnnmldmlmnmmmhlmjhkilj xX (
mnknnkkjjkmmnnmkjojkkllk xX ( $
mplommllllmllllmmmlmmmmm xX ((
lplkmkleinkoonnokmijlkjj xX ()
mlmmjklilnkoonokmlkkmlll xX () $
mmllmllnmklknmojmlmlmkjj xX )
llljmlmmljmkmmnlmlnlnlll xX ) $
olnlkpnlmlllllkmlllllmll xX *
nnmmmlmmmmllnkmllmlmlmml xX +
lmnmmmknmkkjmmmjjljmnkki xX ,
llmmmnlmlmjjmmmkjjkjlklj xX , $
mllmnilnlklimmnlknkillkm xX .
kinnmmjkjmljmpmjkjiniiil xX :
lkllllmlloklllkllnsknmmm xX ::
llllllllpmmmllommnlmmmmm xX :=
konmlonolllkijklkllnlmjl xX ;
knnnmpnmkmlkijkllllmlmjl xX ; $
mmkmokolllllojlmlmlmlmmm xX <
nmmmmlmlmjlinmmlminmlkjj xX =
lmknmlnlmmmmolllmmnlmmmm xX = $
nlmmjloknjmkmlpmllmkllll xX [
lilmokollnkkpoilllknllll xX ]
jjkkkolkkkmljkkmkmsoklll xX x
lkkkkpmlllnlkllllmrmllml xX xX
kiiiilkkommlqpmlklnlllol xX {
kjjjkllkolllqpllllmlllpl xX { $
lkooolmlklnljnklkmkllklm xX }
llpiqlllllmmkmlllmlmmlmm xX } $
lkipmlkmlrnlnllmlmllnmmm xX!
mlmllmmllmmkmmmmmnnmmjij x_x
jlllllllllqlllkoklqnkkll x_x "
nilkhnjjkiojlmmokmpokljj x_x $
nnmnnnlelnnommmhmlmhkjjj x_x (
nnknmknkjmolmknlmnkkklll x_x ( $
nollmmngioionmlmllikmkkk x_x ()
olmmkjlkklkmponkmlllmlll x_x () $
lmlmlmmkmjkimmnjmollmkmj x_x )
mklkiljllinknnnlnknnmlll x_x ) $
mmlolmnmmklllmnmlllmmmlm x_x ))
nkmlmpollklllllmklmklmlm x_x *
nmmmnnmmmlkjkkmimmklnjli x_x ,
nlnnmmlllkkjlmnjljkjmklj x_x , $
lllllmqllkmmnllmmmnmmmmm x_x ->
mlmmmilmkjnimmnllnhglmln x_x .
mjmnnnjjlnlklokjkjioikjl x_x :
plkmlonlnllmlkllllllmlmo x_x : $
lklkljnklpklkllmlnpkomnl x_x ::
jnmllpookmkkjjkkkkkpllkk x_x ;
jmnnmonnkmklkjkllklplmkk x_x ; $
mllnnhrkllllnlmllmmllmmm x_x <
ommlmmlljjmhnmmnojmnnjij x_x =
nmlljlmkmkllmmplllmnmlll x_x [
iijjknokkjnmkjknimsqillk x_x x
klkklqnlljmlkllmklpnklll x_x x_x
kjjjjmlkonnloomlklnlllpl x_x {
kkjjlmllnnllppjllmmlllpm x_x { $
mkonooklklnlkmllkllmlklm x_x }
llkmllkmlsmmmnlmlmmlnmmm x_x!
llllmlllmrmmlnlmmmmmmmml x_x! (
jljmrkllklrlmnkmkmllknll x_x?
lmlmmmmmmmrmmmlmlmmmlmmm x_x? (
kmmpmlmkkjjkkknlmlmkpnkk y
innnnmmonnmmnnlkmfkkknoe {
plihjoqlmjolnkklnllllmll { "
imnnnmnonnjonmmmmgihcloe { $
mmlmlmmmmmmmmmmmmmmmmrml { %
mmjkrmmmmmmmnnnmmmmmmkmm { (
mmllmmlllmlllllmlmlmmrmm { -
lojmqnolmllllllllmllmkll { 0
kkmmnkknnokknjmlmllmqjlk { Xx
mklmlllqllmllnlmmmmmmmlm { get
kiomnkjjllnkmnlnolkolkjl { x
kjmnolllmllknlllllpmljll { xX
llmjmmnjjlklkkkknmllltmk { {
mlllllllllmllllmmmmmmtlm { {-
lmlllmllllsmlllmlmmolmmm { |
mmlllllkmmmlllmmmmmmmrmm {-
mmlllllkmlmllllmmmmmmsmm {- }
mmlmllmkmmmlllmmmmmmmsmm {- } $
olnopimiomoijkkkokmkikkk {}
lmlpmjojomnkkmklnlklklll {} $
lhlnnjijinpkhhjniinphojn |
kljlllomklslmlllkljllomp | $
qmllmmmmmllmlllmmmlplmml | None
llkpkklkklklkkklllnokllo | Xx
llmlmlmlmllmlllmlmlppmmm |>
fkomomlnknpmkiiqhonimkki ||
innnnmmmnnlmnnnlmgkjjlme }
innmnmmnnnknnonllgkijlne } $
ljooofkklmmljkkmmjkmmmik } )
llpoljjjmmmkjlllplknkkkl } ) $
mjmmnmnkokmjllkjpjjjlkij } ,
mjnnnmmlnlkhllijokjkjlij } , $
mlmklmrkllmmmlnmmmmmmmmm } //
mlllllslllmmmlmmmmmmmmmm } // $
klnonnominmjjijnjkjllkkl } ;
klnoonoojomjjiilklkkkkkl } ; $
llrmollkllllkklllmllllll } >
kmnnmkmknnjlmmnkjlkkklkl } else
lknrpjkkkkllklkmmmlllmll } from
mjljnknlmjnkkijloljknrll } }
mkmiqkkkkkmkljklnllllsll } } $
lklkkknlkklllklllljvllll ~x
lllllllllllmlklllmktlmml ~x :
"""
"""One mark in each line, after a letter for each of the languages."""
