"""What each mark (see `marks`) says for and against each language, as learned from the files of public projects.

`python -m benchmarks.guessing FOLDER --learn` writes `LANGUAGES` and `ROWS`: multinomial logistic regression on the
square roots of the counts, over fragments of 6 to 40 lines and pieces of 1 to 5 lines of 71 public clones. It holds no
text of theirs but single words that stand in at least 6 of them.
"""

from __future__ import annotations

MOST = 9
"""Times that a mark counts at most."""

SCALE, STRONGEST = 8, 12
"""A weight is a letter: `m` says nothing, `n` to `y` speak for the language by 1 / SCALE each, `l` to `a` against."""

LANGUAGES = r"""
python java javascript typescript tsx c cpp csharp go rust ruby php kotlin swift scala bash lua sql haskell ocaml julia
html css text
"""
"""The columns of `ROWS`."""

ROWS = r"""
gkmmpnmmnllmlmkmhkklpiln !
noghhnnorkljonnkiljklklk !=
lrlkljjoklllnkollmlmlmmm != null
khqoniikllkqjkklkmllpmlm !==
mlllmllkmmnjnklnnennmnim "
klllllllllvmnkllkmllklml " "#{
jjjjkinkjkilqijtillkpplk " "$x
kkmjkkmlklkltkisllllllll " "${
mmfkjqmjpjklljkloljqknlk " "%x
kknkllllkllmkulmlmllmmmm " "\(
kllkjnolplpllljmnlpllklk " "\x
qlkkmlkokollmklmlmollmml " "{x}
lkmmmmlimjnhkjjklkonlnhn " $
mmllmmmmnnllnmniniljmlll " )
nlkkjhjimnljonnknklkmlkl " ) $
lmimmlokkjmknkolmklklmll " ))
lnjkkllkmkolnkmlmlmknlll " )) $
noolijklmkoloknlklllllmm " +
mlmmmlmlmmmkllkhoimlkkjj " ,
mmmlmmkmmokljlmiojkilljh " , $
jlllllllklklmlsllmomlmml " ->
llkkkkkmkqlnmlklkllklqlm " .
jmlmmmmmmmkmlmlmtmmllmmm " ..
rjmomikmohkkimjkhljkkqkk " :
kmonnkookkkkjkmljljqkkmk " ;
kmonmlnmjklljkmkklkqlkmk " ; $
mlmmmkqmmlmmmmmmmmmmmmmm " <<
kmkkkllllmsmllmmkmlmpmmm " =>
kkkmokkkkkmmjkljklkkkplm " >
kkmlnlkklkkmkllkklkllplm " > $
nhknmimlliqkonhknlmmlkok " ]
lmlllmmmlmvmllklkmlmllmm " do
llllllllllulklllklklllll " do $
llllkllllllllllllllllqll " href
nknokllllllmjksmlmmmmmmm " in
mlkklkpnmjolniklqmllkolm " }
klllllllllvmmkllkmllklml "#{
llllllmmlltmllllkmlllmmm "#{ $
jilikjnjjjilpipsjklkooll "$x
jiponikkjkkknjpsllkkkjlk "${
lknnlkllllllnkorlmllllml "${ $
nnmhjoojojknkijmnljpjnkk "%x
smlmmlmmmmlmlmlmlmmllmmm "%x %
knojjnokqkkolkklomllkllk "%x ,
lmrjlpmlmlmmolllllmmmmlk "%x , $
ulllllllllklokmlklkkqllj "3
vlllllllllklmkklklllnllj "3 $
nkmklllkkllmkuknlmllllml "\(
mlkkioolnmnllkjlmkplkkkk "\x
mlmllmplmllmmmmmmmlmmmmm "\x ; $
mnkmmkmmnkljmnljmjpnklkj "c
sjjklkkrjpklljklkmnlklln "{x}
pfmggomlhipifohplikhojqm #
sjhijhihhiqjighrgjiiqjiq # $
klkmklkklvlnlllllllllllm #[
lllllsolllllllkllllmlmml #define
kjkklrpmkkllkqkllllllllk #endif
mllllspllllmllmllmlllkml #include
ihjkjiniigmjiijqipuhjsij $
kjmgiklkllpiklkskklkooll $(
jlkkkkllllklklksjskjlllk $1
klkllkllllkllklyklllnllk $XX
lkjkljjkmllwlllmmllllmlm $this
mkkkljkkllmvlllmlllllmlm $this ->
ihmkghjhhlkshijtijiimshi $x
llkkllolkjlmkkktllklmqik $x $
ljllkjiklmlulllmllllnnlm $x )
lklklkjkllltlllmlllmmmmm $x ,
lkklljkllkltlllllllllklm $x ->
mklklkklmmmummmmmmmlmmmm $x ;
mklklkklmmmsmmmmmmmlmmlm $x ; $
ljokkjijlklskllnlllllpll $x =
mlnkllklmlormmmllmmmmmmm $x [
jjmgiijjjlksjpkqkqkkmolk $xX
kjmijjmkkjkrknlpkpkklnll $x_x
lkknnklllkklkklvklllllll ${
pkliljmjikokililkkkpkppo %
mmlmlmllmmmmmmmmmmmmmrlm % }
jijihophrpolfljojijiiopj &
llknkqmlqmllkllllmlmlmmm & Xx
mllllllmlqlmllmmmlmmmmmm & mut
likijpokpnnkjkknkklkkqkl & x
mlkkmoolnmlllolmllmmlmmm & x_x
fonnmmnklllkjilpgjmmmiji &&
kknpnmmkkkkljkkpklnlkllk && $
mgonlhgifhnofeinmokhgmln '
nlrjlklllllolllnllmllmlj ' "%x
ljlmkhjkjjoiijjpmpjkjkjr ' $
mhnnljhijhpohiilmplkkolk ' )
mkopilllkkomjkjnmmklklll ' ) $
mlooklkklllnkllmlllllmmm ' ))
mionkhilijnnhihjmnjjinmh ' ,
lkpnjikljjknjjjklpkkklmh ' , $
qkpliklmklklkjklklmllmlo ' :
lkpgnnjlmlmollllmommmmnl ' ; $
lljkllllmlpsmmmmlllmlmmm ' =>
nkmkmkkmlkoqkkklnmkllmnl ' ]
klmkjnlmljnlkhlklnolmkjm 'c
mmmmjnmllloomlllllllllml 'c ,
lmlllmlmmrmlkklmmmlrmllm 'x
mmmmmmmmmmmmmmmilmmmmkki (
klnnoqmjilmojkmlklllklll ( !
mnmlmmllnnmjolmjnhmjmhki ( "
nmlmmlnlllklmnllnljnllll ( "c
nmlnmklkllklomnoipgiiglf ( $
ljlljiikklkukllmklklnmll ( $x
kiiijqpjmrnkjnklkkkkklll ( &
nioomkhijhnojigjmnjjlnnk ( '
kmnlmnjlknonlkklnklknlll ( 'c
mkjllookonolmlklklnmkmlk ( *
kkjllllllkmmivjmlmnllnpl ( .
mmmlllmmilkkmlmjlojjmmnj ( 0
knljoknmlllmmllmmlllomml ( 0.0
lllllskmmmmmmmmmmmlmmmmm ( L
mrloklkkllmlllmmmnnnlmml ( String
mmkinnnjjkllnjkkmnkknlkn ( XX
lnjkemnnkmlkllojkippnkjh ( Xx
nknonimkkmomkmiljlklnlll ( [
kjnilmikjokkiqqlollnlmll ( _
jjlomoopkkknkllkkklmmmll ( _x
lkpomjllnllmklkmlmlplmml ( `
llmmlnnlkkkkmknkmmknnmll ( a
nlrollmllllmlllllmlmmmmm ( app
kinmnopkkjlkkkklllokllll ( const
mlknlqllolmmmlmmmmmmmmmm ( ctx
mkllltkmmmmlmmmmmlmmmmmm ( curl
mtklllklllmllllmmmmmmmmm ( final
lllllllmlllmlllmmmjslmmm ( fun
lkqkjllllllmklllrllolomm ( function
klnljmklkmmkmkmllnkmomlm ( i
mphjkmqokklllkllkllllmlm ( int
llmklklmnmlllommlmonmlmm ( name
lpnljkmokklnikqmmlllkmml ( new
lmlomllmlklnjlnlllpllmll ( null
mmrllmmmmmmmmmmmlmmmmmmm ( req
mlkllnmlqmlkkkmnmmnlkmmm ( s
rkkjlnmkknmmjnjlolllklll ( self
kkmiklksmlmnjqklnmllmmmm ( string
nknlkkmlqklllkmllmkljlll ( t
lnpnkklnmlllojkmlmmlmlmm ( this
mjkklsnlmmmlmmmmmmmmmmmm ( void
mmmlmmmmlmlhmmnhmllknpil ( x
lmmmnmlmllkjnnmillojljjj ( xX
lllmmnmllklknmmilonkkkkj ( x_x
kjooqjnijhmkiiilolkmjmkl ( {
ljnopjkkjkoljijlmlllloll ( { $
knmnpmlnjkjmgkomnkmlklkk ((
mmnoplkllillklkmlmllmmmm (( )
nnmmmlmmmnfnnmmmlmjmmhgf ()
okmohgjmpmfmoooinjikoiii () $
kpkhikonloimmilkljkpnkkk () )
mmmkkklloojnmklllllpmkll () ) $
lmnkkioknoimollllnmjmkkj () ,
kmnlklmjknjmnlmllmnkkklk () , $
nnkkllokknlmmpjlllknllll () ->
nollljonmpkknholjlkjllll () .
plinllmklkkqnjplkmllmmll () :
smlmmmmmnmkmllkmlmmmlmmm () : $
ionmooooimmlgiijkkjlkkjk () ;
jpmmoonohnnmfgijjljkjkjk () ; $
lllllkqllkllpklmlmlrmmmm () =
kioqokjmkikkjjllkllllkll () =>
jooominimojkmniqhkkjjljk () {
jnoonimfoojkmmgrikkjjljk () { $
lmlllllmlllmmlmlmmltlmll (*
lllllllllllmllllmmltlmll (* $
nmmmmmmlmmmlnmmlmmmlmjlj )
nkmmimjmnlojnnnnnlnmnjgf ) $
jmmmmnpmmlmmklmkllllmmml ) &&
klmkkomnplllijplllomlmlm ) (
mkwijkklmmmlmmmmmmmmmmmm ) )
mmmnmlmmlnlmmmmjlnkjmjmk ) ,
nkmmmlmlmnjklmmjlnkkjjli ) , $
qojijkkjiqjomohlklnolllk ) ->
mmmongjmllqlnknkiimhinkm ) .
qhiplilkilhnqlrkmkmkkkkk ) :
sknhkkjmkkiljphlnlnljllk ) : $
eonnnooojohnceejgogljjoi ) ;
eoonoopoeojnceeihogkfjoh ) ; $
jjjjkonjjpilojqlklrmolll ) =
mjjjknolmkkljlllolnkplll ) ==
jgppqihnipilgholjkkjjkkl ) =>
ljjlmklqkolnirllklmmmlll ) ]
lklknkmrkoknkmjlklklmlll ) ] $
kmllmmlmllnmllllqmllnmmm ) do
kmlmmmmmmlnmmlmmrmlmlmmm ) do $
fnooomoemknnomliflkhhklk ) {
fnoonmofljkoommifliigklk ) { $
mllknlnljlpkopjkjlmkllll ) }
ljoipljkjmplnpllmlmlkjll ) } $
mmmllnnmlnkmllnlmjmmmjmg ))
nklmgnjnnklimmnmojmnmjkj )) $
lokljnmllkjnklolmlmmnmlm )) )
lmjmlnllmlkmllqmnlmnmmmm )) ) $
mllpjmjllmlmllnmkljlomml )) ,
lmnnnljklnmlmjplklllkllm )) .
jplmlpooioknhjiojjjlllll )) ;
jpmlloopioknhjilkjjkjlml )) ; $
knnokmmhmikpmlmlklllkmll )) {
komommohkiknmkmlkllllmml )) { $
mllkjoognmjnljlnmmjjkhkj *
kijkknojjllkjpnsklkojlll * )
nlmllirlmlmmokmmmmollmmm * >
mjllloojpmmjmkmklkjjmklh * x
nkmmkpmkmkmlmmmlklnlllll * x_x
rnknknnkkkmqoknjkkkkkllh **
nopnklmnljlinjnknhkmlhij +
pqonjklmmknljkmljmllllmm + "
llnimlmlmjknnkmkqmmlolkj + 0
imnnjpnmmhjlmhmllksjjkkk ++
qllkhlmkkonjnmqlikjknkjk +=
mmnnmmmmmmmmmlmgmmnkmklm ,
mmlkmommojllklnjmjmiljkl , "
llmnilmlnlmmkjnlolnmmmml , "c
mmmnnmlmmnklmlmfnmlemkjj , $
lkjklkmklklslmllllllnmmm , $x
kijkkpojmpplklkmklllkllm , &
nhnnkiilmjonkjjkmpjkklpk , '
mmmnhomnkiilkliljlqpmlll , (
lnoolllllkklklmmlmlllmmm , ()
nlmkmmmmljkkjmljnlkknknp , 0
klllllllllqmlllmkmllqmml , :x
llkllrlllmmmmmmmlnmmmmmm , NULL
lljljnkkkkklmlmkkllklllq , XX
nnijjlmmkmlmjlmkijpmokpo , Xx
llloollkkkknlojmllrnlmmm , [
kkilmmkksmklkjklrlllklml , err
lkphjlllllomklllqlmllnmm , function
lojpklkollmnmljmlnkllmml , null
knnnjkomollnmmkmlklmlmll , true
mlkkkmlmnknklknlnlmkolln , x
lllkllmlmmnjlllklnolnlkl , xX
mllkkmllmmmkllljknolnkkk , x_x
kklnoknkjjqlmjklolkokoll , {
kklnpklllkllmkkmnllllplm , { $
kkkllllkjjjlkhjnkikkjoqq -
mmnklmnlmillmkkmnimnljmk - 0
kkjlokjhjjjnjijnhijklmpp - x
hmjkijjjlhjjlhhmqpsjglnp --
hikjjhikmjjjjiinrrsihljp -- $
kljjmimkkkklkkkqklkklkqp --x
mmllmllmmmmmmlmmmmmllmsl --x :
kldcgppfejgqpmlhghrrmiih ->
kkkklkklkkklsijlklnukllk -> $
mlkijisjjpkkkqmlllnolllk -> Xx
llhhkqojjjiqljikjknonkkk -> x
kkjjkpmklklsmkmlllollllm -> xX
jkjklpnklkkqmkmlllnmllll -> x_x
kkjkjlhjkjjjjjkujjjkjkqn -x
mmmmmjkmmmnimnnlmllnmmln .
mjtjklklmlmmlmmmmmmmmmmm . #
mokkmmjjjikpmkkkklnijlko . $
mmlmmlmmmmmmmmmmmmmmmqml . </
mkllmllrolmllmlmmmmmmmmm . Add
lmmmmmmmqmmmlmlmmmmmlmmm . Assert
mlllmlkqplmmlmlmkmmmmmmm . Equal
llkllmmoslmmkllmlmmmmmmm . String
nplnnifimigjohokmipkjkkm . XX
njkgkilpqddhkhlkmhnmkpim . Xx
jhjkllklokilokmkklmmkolp . Xx $
phrllkmkkkkljnplmlllmmll . _x
oqonlkjklmllnmkllllmkmlm . add
ponkkjnkjlmlkpnlllllllmm . append
lpjmlllklnmlqjlmlmlllmmm . build
kulklllkmlqmjkkmlmmllmmm . class
klrpkllllklllmkmmllolmmm . equal
mqkklklllllmllomommlmmmm . equals
mlqjlmllnplllllmllmlmllm . expect
opollkljkmklmkqllllnllll . get
omjoqllkkkklnjklnllmmlmm . id
rlnnlkllkpollkllkllllmmm . join
jpppqihikjmkkjmljlkpklll . length
jlkllllklkvllkkmnllkjmml . new
knqjkkljlmlljrpmlllllmlm . next
lqlllllllllmllommmllmmmm . of
lpmklllllmlmklrmmmmmmmmm . put
knninirklknlnnomklllkmlm . size
kmgnpklonmlmlmlmlmmmpmmm . state
mmsjokjkllllommmlmllmmlm . test
lmkpjmmmmlqmjlomlmmmlmmm . to
konmjkkklkklnkqmlnlllmmm . toString
mkllllklmsmmlllmmmmmmmmm . unwrap
mmmpnkmjkkjlnnnllmllmlml . value
nlmmmjjfimognommmmkmmmnl . x
kiioijjijlplmmlnlqlokjkm . x $
jlkmnllllntmmnllkmllkmml . x?
mnnmnjjfimmgnnngnlkmhkll . xX
liomillkkmqlnlpllmjokoml . xX $
mnmmmkkgjnnhmnnhnlinimnj . x_x
ijijkiiljpkknjhosnpkikkq ..
lmllmmmmlmlmlmlmrmmmlmmm .. "
mjopplmiliinilhkkkjkokkm ...
kmnnmmmhghmoljmokjgiklmn /
kpmlkonkkklppmmjlmkkkllk / $
jjlnklhlklkljklqlljknoko / x
imnkksnhjijnnkjljjjjjloi /*
jnlljrohjijonkkjjjjjiknj /* $
innmnlponnhknnmmghhhgkhh //
hnnmmmononilnmmmghhhglgh // $
kkpepkkklknnkklkklkklpln />
kkplolkklkmojklkklkkklln /> $
llmllmmmlmlmllmmmmmknlmo 0
mimkkkikkimhllmnllmmnkhp 0 $
nlklllklmlkmlllmllllloro 0 %
mmmmlnnmjlllknojmlllmkkj 0 )
ojolhnjplklkmnokoikmmlkk 0 ) $
nnmifjlkmpknnnlnmmmknllk 0 ))
lmmllmnmklmlllkhmmkkmjkl 0 ,
kmlmnponlomllgkjlkikilhg 0 , $
llklokllllkllllkljlkllpq 0 0
nmnljllnmkklkjkljlklrllq 0 :
immllonlkmkokjklkjjjinoj 0 ;
jnmklnomjmknijlijjkjjkqj 0 ; $
mnlmmnlnmmmmlifmlllinljk 0 ]
kkkklljksqlmkqlmlmmllmmm 0 {
mmlnnlnoljkkkimnmllllkll 0 }
ommjikllkjllkollmkljnmnp 0.0
mnlmknjlmmklkomlnlllnmpm 0.0 )
lojnmjnmllllkollllllolll 0.0 ,
jojkkknmklllrkpllllllmll 0L
mlkkkklllkmlllllmmmlmlsl 0px
lllllkllmlmllllllmmlllsl 0px ;
mlllllllmlmlmlmlmmmllltl 0px ; $
njmnnkkjmllklollkikmkmoo :
linnojllnlokgohlfkjlkokj : "
skmkjnpknfekflegjmljfjir : $
mmmllnkmormmmlmmmmmmllmm : &
jkpokjkmjkkmjikliikkkmko : '
lmnnhmmlmlnmmlmllmmlmlks : ' $
jmmkmpklkjjllplllnkqmlll : (
klmklllllllmkukmlmlllmmm : .
kjmmmnjllloihnhkhjjjnmoo : 0
llmlmllnkmnllkllllllnmkq : 0 $
llllllllllllllllllmlllsl : 0px
klkjllllklllopqmlmlllmml : Int
kklknllljmklrnqlllklllll : String
llmlmmmmmmmmjksmmmmmmmmm : Unit
mfkonigkjojloookhkhillio : Xx
lkinnnkojkkmmlllllljnllq : Xx $
llkjllllllllspjmlmllllll : Xx?
hloonkkkjilklrilklimkpkl : [
llfsplljkkllkkllllllllln : number
kjeqqkjjjkkkjkkllllsllkk : string
lllsmlllkllnkllllllmllll : string $
jknmnkknnknljmjljllmkmln : true
lkmljhjknmkkfnhjpjllmlop : x
kmlnnkljpmmlhphmlllmkmmk : xX
mmjmnknknkmlioilnlmmmnll : x_x
mjoookkkkjojhpililkklpik : {
ljopojlklkmkjkjljllllojk : { $
hgehgcqfgqpqnfhikoolofmo ::
kjjklhplknpqnkklkkklllln :: XX
ihihjfrhirsjkijkikoiqlkn :: Xx
ljlklllllkkpukjmlmlllmmm :: class
lllllkqllllllmmmllmmmmlm :: cout
llllllklltkllklmlmmllmmm :: new
mlklljtlllmmlmmmmmmmmmmm :: string
kjhijfpjkpjnjjmkmqjnjkon :: x
lmjkkiqklplolklllllllmln :: xX
kmkjkhsklskmkkkllkllllln :: x_x
jjiijjiiyjkkhhnkjnknjplk :=
llllmlllqlmmlllmlmmmlmmm := range
llklllkjulllkkklkmlllpmm := x
jjhkjiiklitkjiijlkijrjpp :x
kmmmmmmmmmqmmmlmkmmlmmlo :x $
illllllllkqmllllklklrmml :x ,
kllllllmlltmlllmkmllmmml :xX
jlllllllllulllllllllmmml :x_x
bonnoooohnhodegkgndokmoh ;
cpnnoopocohpbbghfnengkpe ; $
ljkllqmlllmlllllllllllmm ; /*
lkkllqnlllmlllmllllllmnl ; /* $
lpnilopmkllkkkkllllllllm ; //
lpmilmpnklllklkllllllmlm ; // $
mklllllqlllllllmmmmolllm ; set
llllllllllllllmtjmllllml ; then $
lmljkmnpkkmkkklmlllllmml ; }
lmmkkmnolklkkklnlllllmml ; } $
klkllmllllkllklullkrkllk ;;
lllllkllllklllltlljqllll ;; $
knmmnmnnknlkomkiiijjlnih <
lqlklllkllllppkmmmmllmmm < String
jonnpilpinmjooikkkikjekl < Xx
llmjtlllllnlkllllmlllkmm < Xx $
llnnmmklllllllllllllloll < a
mmklolmmmmmmmmmmmmmmmomm < code
llmmnlllmllnllllllllloll < div
llolmllllllllllllmmlmolm < li
lmnkklllllmlllllmllllplk < p
mlnllmllmmmolmmmmmmmmlmm < span
klolinpmklmnlkjjkkmkjokk < x
kkkkljklmlklijqkklvkklll <-
jiomojiijilnhijijkkjjqjl </
llqkrlllllllkllllmllmhmk </ Xx
llolmllllllllllllllllplk </ a
llmlnlllmllnkllllllllplk </ div
llnllllllllllllllllllpll </ li
lloknlllllmlllllllllmolk </ p
mlnmlmllllmmllmmmmmmmmmm </ span
kinkjnpmkmrmjnjmkkmkjllk <<
lklllhtlllollllllllllllm << "
lmmmmmrmmlkmmmmmmlmmmmmm << '
kqkjrklkklklkkkkklsnkkll <>
msllmlklmmnmlmmmmmnmmmmm <?
nlllmmmlllmmmmmnnknmmmgk =
njkknijlknkllklmoijkinll = "
ljmnpjjknikkmnklmljjlokj = " $
mlojkllmlknllloknmmlkqml = "c
hnknklokijilrglnjjqrjkkj = $
nkmnnljkllolllkommllkmlk = '
nomlmmlnmllojjlqkkmjlkkk = (
nlllimnninkollnnnlhjnjih = 0
mjmmijlnlijklmoqklmmmllj = 0 $
tmllllmmmmkmllkmlmpllmml = False
pllllllllllmklnllmlrlmmm = None
vlllllllkllmklklkmpmlmmm = True
okkkkqnkkmolqkjmjlklmllm = XX
lljijmkmikoknnmkjjmpnkkm = Xx
qkmmljjkkmnmjoililjnqlll = [
njqnikllmlpoklllllmnmlml = []
nkknjpmlkkklnmkolkklolll = _x
lmmlmllmlmjmlllllmullmml = do $
hmmkllmkjmlmlooknlkmqlll = false
kkolklllllomllllsmkokmmm = function
iqookhkpkilofjpljkkkjlll = new
kmnlljkolkloqjolllkllllm = null
qlkkllllknlnknmlmmlllmml = self
mlrnjkkkmlmmollmlmmmmmmm = this
hjmmilnmmlllonnnokkjplll = true
kjmpkkklokllnonnllllllml = true $
plllklkmnkljlllmomnkokhh = x
nllnlmklnjmjnlnklkokllkj = xX
nlmmlmklllnmnlminknklkkk = x_x
pmompnlifgmijimirkioiejk = {
pilllnmighokiioktlkokkkl = { $
pneefonnmlminonkojpgqkji ==
pkkjkjmkolllmjknpllkolll == "
onfhjlnnomkllmomnlmkmllk == 0
pkkklqjllmmlkkplllllmmml == XX
lpknkjipllllolommmlmlmlm == null
ihqqrgfjjjjnhjklilkkqkll ===
ffpppheqgoppdfpjgimhohjj =>
kilpokkqkkklgiulllmkklll => $
lmjlmmmmmlppmmlmllmmmmmm => '
jhopqiihjoojiimljlklkkll => {
kioppiijjnlkhikljlklklll => { $
knmnnlmnjmjlnlhnilnkjojf >
igonpmmiiimniiihijiiiqjh > $
khepnhsqkmklomilllllkmll > (
llhnmllqlmllsljmlmlllmml > ()
lmhnolnmlmllmnlmmmlllmmm > )
llnllllklrmlomlmmmlmlnlk > ,
mljlkllmmlollmmmmmmmmpmk > <
llhmhlllmlollklllllllrll > </
ljmlkklmlonnmkklmlkkknlk > Xx
mqmkkkmnmlllnklmmmplmnmm > xX
lmopnlljkollpokllmlllill > {
mnmjnjnmmklkolmlmokmkmlk >= 0
fmooolkohpmnikllijmknjjj ?
kmklnllmlmnmulkmmmmmmmmm ?:
lllllmllllmolllllmlslmmm ?x
kljklklollollkmomlmpnkmk @
lullllkklllllllllmllllll @Override
mvklllkkllmllllmmmmmmmmm @Override $
isirijiiijjkqnokjkljjkkk @Xx
lskilkkkkklltknlllmlllll @Xx $
krkpklkkklllolollmllllml @Xx (
llkvklllllllkkllllllllll @Xx ()
jlkllkkkkljlkkklklklwlll @test
klllmkllmlkmlllmlmllsmmm @test x
lmkkjjlihjqplmlihkjlrjoj @x
pllllmllllsnkkllkmlljmmm @x .
lmmmmmmmmmsmlmlllmmlknmm @x =
klkmmookljmlkkqlkjkljllo A
jmmlmmmmmllmllsmmmlmmmmm A ]
mjokkknqolllllllmmllmkmp Add
mklklknqplmllllmmmmmmmmm Add (
slkklkklkkjlnlnlklklqmlm Any
lkkkllkrplllllklllllllll Assert
lmmlmmmlqmmmlmlmlmmmlmmm Assert (
mkllllktklmmmllmmmmmmmmm Assert .
imkolnmkmknllkolllokkplj B
mmllllllmlpmkmlmkmlmrmmm Base
lmmlmlmlllnmlllmkmlnrmml Base .
lqkmklkllllmpkqmlmllkmmm Boolean
lollmllklllmrjnmlmlllmmm Builder
jnkpmklllkmllkplolkmmkmm C
ljkllgtlonmlkojmlmqllmml Data
mlllmllpolmmlllmlmmmmmmm Equal
lllllllpplmmlllmkmmmmmmm Equal (
lgoolkkmrokkjmjlkllolmll Error
kmnkmlmmlmllllrmlmmmmmml F
kmmlmmmmmmmmmlrmmmmmmmmm F [
kkjjkkkllkkkkllklukllmlr FROM
tlkklklmlkllkkklklslklll False
kokimlknmlsmoklllllmkmll File
kllkllmnllsmlllmlmlmlmmm File .
mlimummmlmmmmllmmmlnmjmm Group
mrkkllllllmlqlkmmmmlmmmm IOException
hjjhkilkkijlrqslklnkqlll Int
qtkklkjklkllmkmmllolnmml Integer
klllmmlolmlmjlsmmmllmmmm Json
klmlmmmollmmjlrmmmllmmmm Json .
nkqikqnlllklllkmlkolllll L
llllmrkmmmmmmmmmmmmmmmmm L ,
mkllmkkulmmmmmlmmmmmmmmm Length
nnjjkkkokkkljkrlllnpkllm List
lmlllllllllmklpllmkrlmmm List .
molklllpmlmlpllmmmmmmmmm List <
kokjlllllllmsiqmmmllmmmm Long
lolojkmnmllllkpmlmmolmml Map
kpoopihmlkllkkmlllnlllll Math
kllkkjkllllllllllrlllllq NOT
jjiijqnjkklkklkljtklkllk NULL
lkkllqmkllmlllmmlnmmmmmm NULL )
lkkklmmlllmmlmlmksmmlmml NULL ,
mlllmrllmmmmmmmmmmmmmmmm NULL ; $
ojkjjklqrkmlkkklklkololk Name
ukiijjjnjrjkihokkliujlll None
pllllllllmllkkollmlqlmmn None $
sllklllmlolmllnmlmlnlmll None ,
llmlljlmllllmlmllilmllms OF
lkmkliklllllllnllkllllls OR
krmolkjllmmllklllmmmplln Object
lllkllklkulllllmlmlplmmm Ok
llkkllklkulllllmlmlnlmmm Ok (
mmmlmmlllrmllnlmmmlnmmmm Self
klllllllkllmjkvmlmlnlmmm Seq
klllmlllkllmklumlmlmlmmm Seq (
kjjikkkkktlliirlllksklll Some
kjjjlkklktlljjsllljqlmll Some (
kklllmlsnlllkllmmmlmmlmo Source
mrljjhginmjjnnnkilnmokkk String
lnjknlkknmllnkrmllnlllln String ,
oopjkkllkllmmlklllkrllml String .
msllllllmlmmklmmmmmmmmmm String xX
lrklljiqllmlmkomlmnllmlm System
jnenjhonnmijnkokmkriqkkk T
klllllmmllkmllllnmsklmmm T .
nkjjnlklklllmqimlmvkkmmk Text
vlkklkknlkklkkjljlqlklml True
nojmijmprkmljlmlllkkonll Type
llllmmmmmmlmljtmmmmmmmmm Unit
kllllmmmmmlmkksmlmmmmmmm Unit =
mkkklllroklmknlllllmlmll Value
lmllmnmhkjlmmjmmkojhmjhn XX
kllkjlnlkkmjnnjnjokijijq XX $
khikgoqhkiiilmijjplklmkn XX (
nnjmjnlijmklpkmjlljjllkm XX )
lpkmlpkllllmollmmmlllmmm XX ))
lllmlmmijklkmhojlmhkljlo XX ,
nnknnokjkmjkljmkjllkikkl XX , $
ilkmpgijjmpljlnllhpmqlkm XX .
oppojokkknkmkkjmlikkllkl XX :
knjmiomkkkklklkkloklllmo XX ;
lnjlionllklllllllrklllmk XX ; $
nknkijklnjlpokjqmkjjljkk XX =
jkjjkijkkkkjjlnlkrjkkllq XX XX
kloonpklllklllomnlkllmml XX ]
mmllllmnnmmmmmmikjnnmlkm Xx
lelmmieomhnlmknhhjonnljp Xx $
mlknljrllnmllnmmmmmmmnmm Xx &
nkjhfooppkglnonhkhllnkij Xx (
okhliknrnhimrloljllkllll Xx ( $
lkjjmlppqehmmnkjkkkhokkj Xx ()
ojnojjkpqjkjnnllklmkmlll Xx () $
njinmlmoomllnmmkhklhmolj Xx )
mimokilonmlllkmlklpjmoll Xx ) $
nmmkmkmrmlnlkmkmlmmlkmml Xx ))
likkkrrjnklkkklmmlllllll Xx *
milnlknnnnkjklmjgiljnmmm Xx ,
lhnnlmlmmnjjmkmkijmimkjj Xx , $
kllkllllllllpjkllmsrllmk Xx ->
knmkldfoicognmnkfhnqnlkm Xx .
ohlljlinpjikjmkknllkkkkq Xx :
ikhijgqijtusohgkjkiihkkj Xx ::
jmkmpnnoimkohijkkkkknkjk Xx ;
inknommniokoijikkkkkmkkj Xx ; $
ipbnpfmqipqkmphkklkjljkj Xx <
llqljlllllmnllmllmllmoml Xx </
kfkllkkppnjijlnkmkknjjkn Xx =
kmkpnjmoinjkophkkllkjgkl Xx >
lkonqmnllklllolllmlllgml Xx > $
jilgomnoojjkkjjkklqjjolq Xx Xx
qjimlinnojjkhislklmkkllk Xx [
njilljmomkjojmrlklnjknlj Xx ]
mklllllrlkknllollmnklllm Xx ] $
jpkinlmomjkmjhjlkonmnljm Xx x
lriiomnolllljkmmllnmllml Xx xX
mskkmmonlkllllklllnmllml Xx x_x
hmjllhmkpphhmomjoknlrjhj Xx {
iojnkinfppjimppklkpjjkjj Xx { $
knmnomhkkokkijnllmlmpnll Xx }
ljjjklkpkkllrrjllmllllll Xx?
mkmmllmmmkmmlmmllimnmmkj [
njlknimmmjokpnhmnlmnkkll [ "
ojoonhjkinlpinhlilkplmkl [ $
okmmmkkllkorjkklnmllkmll [ '
lllnllmmlklmkkmmlmpplmmm [ (
nllnlmmlllljmkgllmkjnomj [ 0
klkkllllnlrmlklllmllnmmm [ :x
kllollmmllllllrmmmkmmmmm [ A
llllmmmmmllmlmrmmmollmmm [ String
mjilljlqjjikkmpkklnomnlj [ Xx
knnmknnnmklklkijmmjkllll [ i
llmnmmllmkmjmkkllkommkkn [ x
olmjmjklllkllllppknkknll [[
kplnmiknqjlohjgjhlomojjj []
jimkioniinlqgkjqimnljiij \
lkjiiqpjipmjjiirjjimljjk \ $
mlklllklmlmslmmlmmmmmmmm \ Xx
nlmmmmllllnmlmmlmjmlnkkh ]
mgmmjhfojpnmjlmjjlqnnljk ] $
mlnkljnlknlljlsmmmlmmoml ] (
mjmmmmlllmlnkonkmjlmlkkk ] )
oklljjkkmnlmkplkmlmomlll ] ) $
ojnnmlkmlmlnjnmkkjjknlkk ] ,
oknnlkjljnknknllikkkmmkk ] , $
jjlknponllpkllnkkljlllll ] .
innolnmmmkkpkkjnjkkmklkk ] ;
jnnnlnmmjlkpkkjlklknjlkl ] ; $
mmlkmmmknimmmmmjplkhnkkk ] =
nqnmliokkkmlkkkkmlllklll ] [
pjkjljnkkkknjjqonlnkkmll ]]
nkliimmjmmmklimjiimmmpiq ^ "
oomlmlllnmmnkillkllllklk ^ " ,
kmmmmllmllkmllrllmpkmlml ^ " ->
rlnilklkpjllkijljllllqll ^ " :
ulllllllllklpkmlllklllli ^ "3
pgjiipnmhipjgogngjiioljp ^ #
klklklkjlvlollllllllllll ^ #[
llllltplllllllkllkllkmmk ^ #define
lkkklrpnljllkrkllllllllk ^ #endif
mllllrqlllllllmlmmllmlml ^ #include
mkkklkllmlmtllmmmlmllmmm ^ $this
lkkklkklmlltmlmlmlllmmlm ^ $this ->
ljnljjikklorllknkllljnkl ^ $x
mlklmlllmlmqmmmmmmmmmmmm ^ $x ->
mlnllkjlmllrlmllllmllmmm ^ $x =
ojmkljjmjilnlijmmpkkkllo ^ '
mjllkllkgmjkijkojjqqlojk ^ (
lmlklllnllkmklkllmoskmml ^ ( Xx
pgmonggdlmmkpnonhoijjijg ^ )
okoolkkklnimnmlkipkllllk ^ ) ,
okjqlllklklmrimlllllllll ^ ) :
ijooqjfhkpjkikikkqkkkjlk ^ ) ;
khmqnjkkjklrnmilllllllll ^ ) {
kpokhpoiilipoknmljjijjmj ^ *
nslkjnkkkmllklnlolklllml ^ +
mtllmmlmmlmmlmlmmmmmmmmm ^ + "
jkkklkkkjkiljjjkklwljklk ^ ,
jllllllllllmkllllltlklml ^ , xX
lkmljonkllllklolnlllkljt ^ -
ijijkjjkjjlkjjjjrpsjimko ^ --
lllllknlllmsnmlmlmomlmml ^ ->
kpmmhpkngohjnomkfhihgirj ^ .
llrklllmmplmllmlmlmmmllm ^ . expect
lqklinljjnjllmolklkkklpl ^ . xX
kpkklnlkkpjlnnnljlkkklpl ^ . x_x
jnomjqoijijnojmjjkjkjkpj ^ /*
fmnnnlnoopjlnomgghghhhhi ^ //
llmlhkpnjjmkijmklijkkkot ^ 0
jompplnpjjkljjkkllllllll ^ :
lllmkllklklnlklllljvlkll ^ ;
llllllllllkllklsllksllll ^ ;;
iiplpjiikjlmhijjikkijpki ^ <
kkrirlkjlmkljkllllkllfll ^ < Xx
llplmllllllllllllllllnll ^ < a
llnmnllklllnkllllllllmll ^ < div
llnlllllmlllllmllmmmmoml ^ < li
llkknlllllnllllllmlllpmk ^ < p
mmmmkmmmmmmmmmmmmmmmmqmm ^ < td
jjolpjjjkjnmijkjkkjkkpkl ^ </
mlpksmlllllmlllllmlmmhml ^ </ Xx
llommllllllmllllllllloll ^ </ div
llmlllllllllllmllmlmmrml ^ </ li
mllmmlsmmllmlmmmmlmmmmmm ^ <<
lkpmrklklkklkkllllnnljml ^ >
klmormmokjklkjklllklklll ^ ?
lvlklllklllllllllmllllll ^ @Override
jrisijjiijjkqmokjkkkkkkk ^ @Xx
krkoklllllllpknllmllllml ^ @Xx (
jllllkkllljmkkklllklxmml ^ @test
klllllllllklllllklklslll ^ @test x
njhjjmikjjpmllljikjjtnpk ^ @x
qllllllmllpmlllmkmlljmlm ^ @x .
kmmlmmmmmmsmlllmlmlljnmm ^ @x =
mlllllkrklmlmllmmmmmmmmm ^ Assert
lkllllksllmlmllmmmmllmmm ^ Assert .
mrmlljjllnmlmlkmlmlnlmmm ^ String
lklmlnogmilgljemjpihjhho ^ XX
kkjjkpsjkilknljkllklkllm ^ XX (
lnlompmlkllknlilkgklllln ^ XX ,
mlrqjkklkllllnkllimllllk ^ XX :
ojiojokmoknjjkkomkkkjklk ^ XX =
kmlllmmmnlmjmnmijhmlljin ^ Xx
miifhonlllijnsnlikmkllkl ^ Xx (
knlllgjnfgnjmmojhjiqnkkm ^ Xx .
mjpmkljiqjkkkhnlkllkkkkp ^ Xx :
kkkkljpklrpqkkjmllllkmml ^ Xx ::
likijmmpoqmkkkikmlkknkln ^ Xx =
lqjionoolllkjkikmkoijmkn ^ Xx x
kjmnmmlqiijjjigmnkophmkj ^ [
kkjmllkukklklkjlllkokoli ^ [ Xx
nionnhijhmlnhoglhkrpjnkj ^ ]
nknnlklllmkokpjllljoklll ^ ] )
kklllmknpokljqklklqklmml ^ _
pjlnkonokmljjmkoljkknkkm ^ _x
jkmpnkllnkkljkmkklmlmmlr ^ `
phpjimmkninlkjnkqjjkilkl ^ assert
jijnlonlkklmmnplplllkmlm ^ assert (
ikthjkkkokjlkkkltllllmll ^ assert .
ljlkllllmtmmllmmmmmmmmmm ^ assert! (
lqkjlkjjlkllokqmlllllmlm ^ assertEquals
kqkllkjklkllokpmlllllmlm ^ assertEquals (
kqkkklkkljllskjmlllllmmm ^ assertThat
kqkkklkllkllrkjmlllllmlm ^ assertThat (
lrkllkkllllmnlomlmmmmmmm ^ assertTrue (
mkllllklmsmmmmmmmlmmmmmm ^ assert_eq!
mkllllllmsmmmlmmmlmmmmmm ^ assert_eq! (
mklllkulmlmmmmmmmmmmmmmm ^ auto
kiopqjkmljklkkkmkllllmlm ^ await
mjkkknqpllmllllmmmlnmmmm ^ bool
mmmnlnmmnmkknkimmllkklkl ^ break
knnnmomnkmlkkkklllllllkl ^ break ;
nlknkmlkpmllkkollmmlmmlm ^ c
lllmmlllrlnmlllmlmlmlmmm ^ c .
fmmmknllnhmmgprojjohijji ^ case
kknsljkmmllllmlnlmllmlml ^ case "
llllllllkllmlukmlmlmmmmm ^ case .
ojmlljnkijpnplokklklkplk ^ class
oipklkojjkpnonmlllllkklk ^ class Xx
klpjtlllllllnlllkmlllill ^ className
klokqlllllllnllllmllljmm ^ className =
hdpppmkiljipjggjhjipljjk ^ const
jiqqpiikkjlkijjlkllmllll ^ const x
kipopmjllklkkkjlllklmlll ^ const xX
lkonomlklkllklkmllmnlmmm ^ const x_x
llmhpmmkpnmlnmjlllollnlk ^ data
rjjijjjjjjvkghtkhkkjhkkk ^ def
plllllllllqmjkpmlmllkmmm ^ def xX
qllklkllklrlikolklllklll ^ def x_x
mjomkjsknlmllllmlmmmmmlm ^ delete
llpkklklllllllltklklllll ^ done
lllllllmlllnmllrlmllllmn ^ echo
mmfhionmghpinjlnnjoopjkl ^ else
tmlmmlmmlmlmlllllmlmlmmm ^ else :
eighjihigjsiggghsijnrijj ^ end
lmjlmmmmlmlmlllmtmlmlmmm ^ end )
kioookjkljnkjjilkkklkklm ^ expect
linookkkljmkjjjlkkllkllm ^ expect (
jhsrpkjijjkkihjpkkkkpjlk ^ export
klllllkllllllllsklllllln ^ fi
ltkkllkkllmmjkpllllllllm ^ final
mqllllllmlmllllmmmmmmmmm ^ final Xx
mlomjljllumlljlmmmmmmmmm ^ fn
mlklkkllmlmlmlmlllmlmosk ^ font
pmllnmmjqohjlmkpnkiiplji ^ for
koonnnnnjikkoilkillknlll ^ for (
vllllmlmllmmlllmlmlllmmk ^ from
ljlklllllkllvjjllmlolmlm ^ fun
mkllmmllllmmrkkmmmmmmmmm ^ fun xX
ljkjkjkktjllisjlklllllll ^ func
mllllmlmmlmmkslmmmmmmmmm ^ func xX
mlllmllmmlmmlsllmmmmmmmm ^ func x_x
iiplmjjljjimjkkqqlklslll ^ function
kjkplllplkrlonjmmmllllll ^ get
lkponkkljkklojkllpklknll ^ id
omlmmnmmommnkmkmoijnnihi ^ if
iooooooodehoneoihjiigkjk ^ if (
olllllllkllllkllqlkoklll ^ if not
nlmllmlllsmmlllmmmlmmmmm ^ impl
komppikhlijkonnkkkpjkkkh ^ import
lpllkmmkkllmqlqlmmklmlli ^ import org
npmhnllkjlllqkqllloklllh ^ import x
kkjkmjnmlkklnjjkllptkkmm ^ in
mqgijppnkjlklkkklklkklkl ^ int
lklklmlrmlmlpkjmmmmmmmmm ^ internal
lkonlnmklkqlnkjlolllkllm ^ it
llommlllllllklkmnmmmlmmm ^ it (
llllmlulmlmlllnmmllmlmmm ^ json
hgnnlgglisiigrhjhjoshjkj ^ let
mlllllkllslmllmmmmmkmmmm ^ let mut
jjoljjilkrkljpjkkknqklll ^ let x
kkllnkklknllkpklllmqllll ^ let xX
kklojklllnllkokkklnqllll ^ let x_x
jkhljjkkjkjljjjrwkjkjklk ^ local
kllllllmlllmllloulllkmml ^ local x
llmmkmlllqmmllkmmmlqlmmn ^ match
jnpijkljkkqlokjlklrsilkj ^ module
nkjmmkkjonkkommnmmkklllm ^ name
pkkjnlklllllnkmoomlmmmmm ^ name =
lklmljtolllnmkllmmllmlll ^ namespace
jqnkklkokjlpikqllllllllm ^ new
jpklllknkklqikqlklllllll ^ new Xx
llnkllmnkkmlmlsmlmnllmlm ^ object
kkkjlllkkkllqopllmllllll ^ override
mllklmmlllmmujjmmmmmmmmm ^ override fun
rkkllkllkklmkokmnlkmnmml ^ print
plllllllllkmkpkmolllommm ^ print (
jpflkioojjnmqnplklkkkkkk ^ private
mrlllllmmmmmlolmmmmmmmmm ^ private static
lokllkmolkmqllnmmmmmmmmm ^ protected
llkklllkkwlkkklmlmlllmll ^ pub
jrgmiglrhhkrhpikkkjjjjkl ^ public
lqkklljqlllmlkllllllllll ^ public Xx
lqlklllplllkkllllmllllll ^ public class
lkkkllljllmulllmlmmmlmmm ^ public function
mqllmkjpllmlmlmmmmmmmmmm ^ public int
mplkllkmllmplnlmmmmmmmmm ^ public static
mklllllpllmnmllmmmmmmmmm ^ public string
lrlkllkpllmllllllmlllmmm ^ public void
slllllllklsmkklllmllklml ^ raise
llqkllllllmlnnnllmlmlmlm ^ request
lltllmmmmllmlmmmmmmmmmmm ^ request (
mnmimnmlmlnlnjomklmlmllm ^ result
nnnommnnoiimmnejpilfmgfj ^ return
ljnoqollkklkjlklklollkll ^ return (
lllolqjlnlmmlmlmmmmmlmmm ^ return XX
mlmljnjmlokmnnilllolmlll ^ return Xx
nkopnjmlikllljlmrmlmllll ^ return {
llnnkkplmmqllklljllknlll ^ s
qjikjkmkjqoojpjllkkkklll ^ self
rkkjkklkkpmliqjlmlkkklll ^ self .
mkkllrqjllmllmmmmmmmmmlm ^ size_t
lmoljpplkjlkjpkllllllllm ^ static
lklllkrklolllllmllmlmmlm ^ std
lkkkljsjlolllllmlllllmll ^ std ::
lkmkllmsllmlmlllnmlllmmm ^ string
mjkklpnlklllkmlmmllkplll ^ struct
lomlkkkklkqllqllklllllll ^ super
lljolklkqlolklnlklllklll ^ t .
llllmllllllmlllnkmsnlmmm ^ then
knonmhkmkjkkmmmlkllkklln ^ this
knpnmjimkkkkklllkllkllll ^ this .
lonmmhjnjjlmnmmlllllpllm ^ throw
lpoklkiolklnklnmlmmmlmlm ^ throw new
onlmkjmljjjlmmnlkllpnlll ^ try
kkoooimjnkkkjhmloljqkkkj ^ type
hgiiilfjjmjkshskjkipmlll ^ val
jjikljllkkklqjslklkoklll ^ val x
kkkklllklllmrkrmlmkllmml ^ val xX
kkkklllllllmsknmlmlmlmml ^ val x_x
jgrehhgqqimjorpkjjjjjmlk ^ var
ljnjklkpmllloolmlmlllmmm ^ var xX
nqjjmoqklklkklllllllllll ^ void
lnlllllmlmrmpkmlllmllmml ^ when
lllmlllnlnlllkllmmskllmn ^ where
oomkknnkkklkniomnlklmlkm ^ while
knnljnokkkmlniplklllmmlm ^ while (
plkklllllklllnpllmkollkn ^ with
mlmmlmlkllnjmllomimmnmmo ^ x
jinmjommmmlmoimjmmpknjjj ^ x (
nnnnojkokmmkjhkkjjhlmmll ^ x ,
ommnlklmnmnimmljmhjjikiq ^ x .
kgonmjgklmnhkmjjjjhkhmpo ^ x :
ljkkkiqkloinklllllnkrmmk ^ x ::
pkmlnlljllninjjnohljonih ^ x =
kklnkkmlltlkmlklkmknqlml ^ x!
klllllmllrlmlllmlmlmqmmm ^ x! (
mlmmmmmlllngmmmmkjnlligi ^ xX
mmlnnomhnjliommkjlkjikkk ^ xX (
lhmmlpmlkklllnnolmlmmmmm ^ xX ()
lmlnmnmmkjjkjjmkjkkknlkk ^ xX ,
nmnmninklllknpnkkkiklmll ^ xX .
jinnnljkknkkknlkikjnjkjl ^ xX :
olkknlklmkmjokmnmjmkmkkk ^ xX =
mllllmmmlmmmrlmmlmmmmmmm ^ xX {
mllllnmjllokmmlomjnkligi ^ x_x
nmkmnplhniommmmikklijkjk ^ x_x (
nnmmminlklllnqnlljkjllll ^ x_x .
ljnnmkilloklkmjkjkjnjlkm ^ x_x :
nkkkmklkminjnjlnnjolnkkk ^ x_x =
lkllllklmtmmmlmmmlmmmmml ^ x_x!
iejlmpotkjirdghklikogpfh ^ {
llllklnkklllllllmmlllulm ^ { {
mlllllllllmlllllmmmmmslm ^ { {-
kkkpklkjjjkkkjkkkknqijln ^ |
lllqllllllllllklllmoklll ^ | Xx
hnnnmmmnnnjnnnnkmfjibkme ^ }
jioopfjlmmnljlljmjjjjmjk ^ } )
nhoonjhiollkmjkkokjkimij ^ } ,
kloopmnninkkjjjlkllklljl ^ } ;
jnnomlmimmjnmmokjlkkklkl ^ } else
mlnjslolmkklkklllmllmnlm ^ } }
jgliimgkopijiorknjpqllkj _
llllmtklllmmmllmlmmmmmmm _ (
kkikmkjlqmklnmmlplkollll _ ,
lllllkllllllmkkllmprmlmk _ ->
pjlmkommgljmhlkomnhimijl _x
pimijnmjkkjpkkkkkpjlqlll _x (
nklnnqpmlllljlknlklljmlk _x )
qkooimkmkkmmlkmlmllmllll _x ,
smnnjllllllllkllmllmllml _x , $
okmmljlolkknmkljnllllllq _x .
nmmmlinoklljkqkmpllmklll _x =
jfopohiioiiilihnijnpkjjr `
ljropkklkklljlkmllllllll ` "${
kklrllllnlllklmllmlllklo ` ,
llllmmliikjknjllnmlllomo a
llmlmkollllllllllllllplk a >
llollllllllllllllmllloll a > $
mmlllllllllmllmllmmmmomm a class
nonmkjljjllmqmlnlkjoknlk add
ooonljkjklllqlllkkllklll add (
okpmhljkknkljjlmlllmmnlq all
mlllkkkjkmkkoikkqkimholq and
jjcrplikpnjllnmmjlmmlmln any
ojmorkkkkkllmkjmjklllllm app
mlqlnmllmllmllllllmmmmmm app ) $
oknnplllllmlmklmkllllmll app .
poljkjmkqlmlnnmlllklkmll append
opljjjnkpknlnnllklllkllm append (
lmojklllmllmqkpmlmmllmmm apply
lkjolnmmlrllkklmnmmmlmmm arg
mkllmsllmlmmmmmmmmmmmmmm argc
nmmohlkkmookjimmplmmlllk args
pjpiksmlljlllllmlllmlmmm argv
nlmklpmlmlmlmlmmmmmmlmmm argv [
qpljjknlklmomkkllllljllm array
pkgqpkhjiojlknjkjkmlklko as
qhokilljlkolkjnkrjjlikkk assert
jiknkmolkjkmnlplrlllkmlm assert (
jkshkkkknkklkljltklllmlm assert .
lkklkllkltmmllmmmmmmmmmm assert!
lkllllllmsmmmmmmmmmmmmmm assert! (
lqkkkkjklklnnkqlllllllll assertEquals
kpkkkjjjlklmojqlllllllll assertEquals (
krkkkkkkljlltkilllllllll assertThat
kqkkklkklkllskjmlllllmmm assertThat (
nqkllkkllllmnlomlmmmmmmm assertTrue (
lkllllklmrmmmllmmlmmmmlm assert_eq!
mklmmlklmtmmmmmmmmmmmmmm assert_eq! (
mjnopmjkkpllinjlllllllln async
qlmllokllmmllllllmplmmln attr
lkkklixkljmlllllmlmlmonl auto
jhoqoiimkmkkjmilkklkllll await
lmknjlmknnjjmjnonklmnlkl b
lmknkkkkrolllkjlllllnllm b .
mjljmoiolkmlkpolmlmlklnl base
mihqnmklmmmkkklkknkmklln be
lljtlmmmmmlmlllmmmmmmmmm be .
jknkllollkolklllklknrlml begin
klkllllllkqlomklllmmkmpl block
jmjllkjklkplpmkjpmmkknmq body
phliinpoppkojijlllkpkllk bool
ltippjkjlklllklllmmlmmll boolean
olmnlnmllnllmkinmkljkmik break
komolonmkmlkkjklllllllkl break ; $
jkljkonknqkllkllmllmnlll buf
looiilkkkmklojnnsllmklkm build
lqjlllkkllllqjnmlmlllmmm build ()
mqkkljnqoolllllmmmlmlmml byte
mkjnknjmokkijinmmoonmkkl c
qljlkjmlqklmkknlknklqlml c .
fnmljnmmmhmmgproijpihjji case
klllllllkllmltkmlmlmmmll case .
lnonjhmljkjnomnlklllrlll catch
lkkjklkqnqklkkklolmlllll cfg
lokhjponklkjkkklmknnkljl char
ljjklqpkllmllllmmlmllmlm char *
lmoppklkkllmmjkmlllmlkll children
kqimjhlnggnoplojikiiiqjj class
lsmlmmllmllmolkmlmmmlmmm class ,
lmllllllllplrkjmlmlllmmm class .
klhmhlkklllqkllkkllllplk class =
nnomljonhipnnmmkkljkjjkj class Xx
kjlllllsllnmnllmmmllllml class Xx $
kmplrlkklklnplklkmlllell className
kmrlqllllllnolklkmllleml className =
ljlnojjkljklmnpknllkkpln code
mljlollmmmmmmmmmmmmmmqmm code >
mmllkmmmmmmmmmmmmmmmmrmm code > $
jkknoinkkkllnkklkllmkmrl color
lluiilllklmmlrmmlmlmmmmm completed
llnlhikmonolkjrmplkmkllj config
rolrjllmklmmojjmkmlllmmm connection
gcpqpmnjlkhojffikikmjjjj const
lkolmmrkjkllllllllllllll const Xx
jhppqjljkjkkjjjljlmlllll const x
kioppmkkkklkjjjlllkkmmmm const xX
ljoonnljkkllklklkllmlmlm const x_x
ljpmoiqllklllllmlmmlmmmm const {
jkjpkkkkokplnkjkllllkprn content
lnmpjjlnmlnlmnkllomkkklk context
lnkolljnnkllonkmlllllmml context .
nmiplqhmjolnjrkkllllkmkl count
lkklljulmllllmmmllmmmmmm cout
mkklljsllkllllmlmlllmmlm cout <<
lllllljklumllklmmmmmlmmm crate
lnojkllkkmlnmoklklkplnmn create
ojmjlpnoqkklljllmlkklmll ctx
mlmkkrlmpklmlllmmmmmlmmm ctx ,
qjllltklmlllllmnlllmlmmm curl
mknjnojlokmkojlmklkolokk d
olnllnmjlkokinnjkkljlnmm data
rjjijkijjjukigtjikokgkkk def
pkkkllllllqlhjsmkmklkmml def xX
pkkkllllklqlikqlklllklll def x_x
omoinokmmnjkgnjnlkjlklkm default
nkopikrjoknmlkjmlmmllmll delete
kjnloklklkkokjkkklkklomk div
lknonlkkmlkmkklklllllolk div >
llnonlkklllokllllllllmll div > $
llkljllllllolllllmllmpml div class
gkhijmkkjjtkjkhqqkrjljkm do
ijijkkjljjukijirrksihjkj do $
kmllmmmmmmtmmllllmllkmmm do |
llrljmkkmkklllltkklmllll done
llllllllmlllllltllllllll done $
lqjjkpqmlkmlklllllllkllm double
nollinlkmlpjnkllkmnmnkkm e
nqmjmlmllnnlikllklmnnllm e )
llrjmlllklsllllllmlllmmm each
llkllkkllllnllltllllllln echo
mmujkkklmllmllmmmmmmmmmm elem
klmroikkkkllknklkllkllmo element
llllkmnkklmkmoomljomnmij else
giiikomojjqkhnnopljopkll else $
tmlmmllmlmlmlllmlmllkmml else :
tmllmllmlllmllmmlmlmkmml else : $
knnollnnlmkkimokklplkmll else if
knnnklnjlmjmmomkjlkkklkl else {
knnnlmnilmjmmomkjlkkklkl else { $
kkljkkqklmlljornmmnmkmmk empty
hghhhlkiglslfgghrikmqmjl end
dihhihiightihhggriiorijn end $
kmjmlmlmllkmlllmtlmmlmmm end )
lllmmlmmlmkmlllmsmmmlmmm end ) $
mmmllmmlmmllmmmlnmmmmrmm end }
okmllkmllqrlkjkmllnnjlml env
njljlnklmqomkkqmmlmllmmm eq
mlopkmllllkllmkmmllnlmml equal
kmpqkllllkllllkmnkmllmlm equal (
mrkkllkllllmmmomommmmmmm equals
npkklkklllmmllpmnmmmmmmm equals (
jjllklijrmkkjjjmqlnkmklk err
lkkjnoklolmlllllqlllmlmm err =
mkllltklmmmlmmmmmmmmmmml errno
ijnmlnkjnjnkkomllllkmlmn error
klookpjkkkklonmlnlllnmml error (
kinpokjkkkommojlllllllll event
lioopkjjmlmjilhljjjnkkkl expect
kiopojjjknmkjkiljjkkkkkl expect (
kmomimkoomnlkkllkllnlllm expected
lmnllmlolmomlmmmmmmmmlmm expected ,
jiqqpkjjjjkkiijpklkjpklk export
lopplliikklmhjullmllllll extends
lopomljjkkloijslmmllllll extends Xx
nkikiolinmljijpnnkoonlkk f
tmlmmmmmlmlmlllmlmlmlmmm f"
smllmlmmlmlmlllllmmmlmmm f'
lokklkollkllmllqlnllllkn fail
lmlllllllllllllrllllllll fail =
fmllmkmmmmnmkmmjlogonlin false
jimnhjijmkpkopollljpkllo false $
kojlnmkmknllkmolmkknolll false )
hmomljnnmoknljjlooklmllk false ,
llllmtjlmlmmlmmmommmlmmm fd
klkkllklllkllllskllkllln fi
klkklkkkklkllkltjlllllll fi $
mjojjnmkkomnnkjnlllnnmlm file
onsmklllkkkmikklmlnmllnl filter
lvjjkjjjkkmmimnlkllllllm final
lsllllllmlmllllmmmmllmmm final String
ltlkllkklllllllmllllllll final Xx
kllklnllsmllkklmnlmmlmmm fmt
lmllmlllsmmmklmmlmmmmmmm fmt .
ljmpklkkksknkinlllmlllll fn
mlkklllllsmllkllmmmlmmlm fn x_x
lmlljklllklllmlllklllork font
pmlklkljnphkknknojjjnnjo for
knmonnnmijkkninkjlkknlll for (
rjoopiikinklkkhkjkjijmko from
lkqkjmklpnkmllmmqmlllmmm fs
kiiikkklkjllyhhkllisllll fun
mkkklmmmllmmvjjmmmlmmmmm fun xX
mllklmmmllmmukjmmmmmmmmm fun x_x
nipgjjljtikkfthkklkkkmll func
llkjmknkullmkjkmlmmmlmmm func (
lklkllllnkmliukmlmlmmmmm func xX
mlllmllmllmmktlmmmmmmmmm func x_x
geqmlighggjrhgiptjhoqmkm function
jkskjkkkkknnklllrllllmlm function (
kisihlllkkknkllltlmllomm function ()
lmjlllmmlmlmkllmummmlmmm function () $
ljpphkkklllqkkkmmlllnmlm function xX
nmmkkikpimokomolimkmmljk get
oqnlmkjjlmnmmjnlklllnllm get (
mnklklplllllrknmmmmmmmmm get ()
mkllmmlrllmlllmmmmmmmmmm get ;
llkklllllmklkkkunlkllllo git
mkhrkkllokllkmolomlollmm group
jlknqpnkmkkljkmjlkmlmkkm h
mmjhtlmlommmmlmmmmmmmmmm h .
lnklmmkkklmlnpklrlmlkllm headers
kjooojkkkkklmojjjlkkkppl height
kllloklllmllkokmlmllllrk height :
lkpnnlllklllklllkllllolk href
lloiqlllllllkllllmlllpml href =
lmnllmnlmllhkllkmmlnmljk i
lmnolmmmlklkmjllplnkklll i =
kmmmknnmnmkkmlikmmkknlll i ]
mjnooljjkjkkniijnpkklokm id
llqpollkkkllkmjlkllllllm id :
olmllmmmonolkmklnhlmmlhl if
inooopopdegnocoihjiifkik if (
mlkklkklkrmmkslmmmmllmmm if let
qlllllllkljllkllrlknknll if not
omllllmllrmllklmlmlmmmmm impl
pnpoojjglhiknmnkjkoikjji import
lollkmmlkmlmplommmllmlli import org
qomillmkjllmokqlllnkllli import x
ohjkfijnimhikpmpjkjqonmo in
jkiiklkkkjilhtinjlkwjmlm in $
lkmlimjkokllkskmmmlommml init
mmkmllmlmslmljlnlmmmlmmm inner
lnpigkmqpkmkklmllknmjnml input
nnjlkjnklojllmlmsnmlkmln insert
lmjskllmlllmnnkllmomlnml instance
rrefhoppmijkihhjkiioilij int
mrllmlkmmmmmmmmmmmmmmmmm int []
mpilmmnnllmmmlmmmmmmmmmm int i
lmkklknrnlllnjjmlmllnllo internal
ilkkkjojlpklmkllolllrllk io
mjjhnmkpknkloillmqimjoll is
kjmkmnpjliojsilkmkjlknmm it
lkomollllkllklklolllllmm it (
lnmnlnkmmlmlkmklnmlllmmo item
monklmojnjjkjkmkllllnlll j
lqklklmkllllplomlmllllkm java
lqllkllllllmnkqmlmllmmll java .
mnljkisnljmljlolnlklollk json
mllllktlmkmmmmmmmlmmmmmm json ::
mloikknkmlnkmkmlnllomllm k
mnmnmllinkojkmmllkjkliko key
nonmoiollkmlllllllklknml left
pklikpnjpokkljjkmlknlmll len
rlllllklrllmlklmmmllkmmm len (
inopojinjjnjljkkiknmqlll length
geonmfekirhiitgihjpsijkj let
mkllllklmslmllmmmmmlmmmm let mut
jinnjiiljqjkisikjknrjkkk let x
kjnmmkkljnlljrklkllpllll let xX
kknlkkllloklkqklklnpllll let x_x
llnllmklllllllmlllllmpnl li
llnlmklllllllllllllllpml li >
llnlllllllllllmllmllmqlm li > $
lllllllllllllllllmllmplm li class
lmllllmmllkmtkkmlmlllmmm libs
llllllmmllkmtkkmlmlmlmmm libs .
nnnimpjklllklkkoolkoknln list
kllllmmllllmulkmlmlllmmm listOf (
ikhmkkkkjkjljjjrvjjkikll local
jlllllllllkllllptlllklml local x
llpmjojlmlkljjnkollmlmlo log
kqkkmnoolnllllklllmmllll long
llokjmlknmokijlkljpknlkl m
lkmijopkmmkllnlklllnllnr main
inlmjnhkppllkmmkjkqolilk map
kornfkkkkpkmiknlklnmnkmm map (
llmjllmkslmmlllmmmlommmm map [
ljnnkjjjlqlljjploljrjlll match
mmlllmmllllmllsmmmmmmmmm match { $
olmojkppkjolmmkkknjkklll message
mlmmlkmlmrllmmmmollmkmlm mod
lmoijkkikjqlqihkklqsjmkk module
kmjlklllklkmrkkmtmllnlmm modules
okilmnnklpqlllllmllnklll msg
lkkklkllltlllklmlllklllm mut
mnmihmnhmmkjkinjmonmmkmk n
nkmmlmjkmlmkmkkmnnknjmkl name
pljmllkkjmolmlllmlmlmoml name =
fponlfipjoqpdfpimlhhhkko new
kkkjklkkoqslmkilnlkkklll new (
hqookghqhgkqdhqkikjjikkk new Xx
mrmlmmmlmlmmlllmmmmlmmmm newBuilder
lrllmmllmlmmmllmmmmlmmmm newBuilder ()
klnmjnolklokjpokllkkjlll next
llnlllkllllmnskmmlmmlmmm next (
gjiijikjtjrkirikrljjjkln nil
jlkkkllknkmlkoklqlkllllo nil ,
lllllllksllllolmlmmmllmm nil {
llllllllrlllkolmkmmmlmmm nil { $
plopjjplkknlmjjlklllllll node
qjfmnljkknjllijjqmonjmno not
klllmmlmllkmlllmkmlltmmm nothing
hpmoofhphhinpfonjmohjmkj null
kknkmlllklllpjomllollnll null $
lqknmhhokkllnjomlnmlllll null )
ljjnmllrllllmlnnlmlmlmmm null ) $
jnkmokkojjlopkklllkllpll null ,
mjlllgylllmllmlmmmmmmmmm nullptr
ojoonnmnjkjmiijkklljklkn number
mlnqkmlmmmmmmllmmmmmmmml number ,
mltjjmnmmmlmlklmmmmmmmmm number .
moplknjlnlllikqmklllommm obj
niljjmlpjjnkpoqkklmkklko object
lnmllmiiililklljkkomjnkp of
llllmklllllmlkkllmukllmn of $
mqkmmmllmlmmmlnmmmlmmmmm of (
kjllllmkolklmllkoollklkn ok
jkmkkllkllmkkplkklkmonlo on
njohnmmklkmlolklmlkqlomk open
mkoklitlllmlolmmmmmlmmmm operator
klojjmkllmmmlllllmmslnlm option
nipoioomjjokkpimllmkklmm options
llmmjomlnlmllklmnmrkmlmm opts
llnkllkmkkkllkmmslkjinlo or
jqkkklljjlklplnlklkkllkp org
kqkkjllkjlklokplklkklllo org .
qlkkljnlnlkmkokmomlllmlm os
rlklllllpllmmkllpmlllmml os .
pnjjjolnmlmlllkqmlkkmnlk out
loqhkkjomnmlljkkonlmlnln output
jjjjklppkllkqoollllllllm override
klllmmmmmmlmkltmmmmmmmmm override def
lllklmlmllmmujkmmmmmmmmm override fun
kllnmomkpmlkijmlmklminmi p
lmpjmmllllmllllllllllolj p >
lknlnlllmkmlllljllmllpmp page
klnjjnikoqnjkpikpljojolm path
llkrjlllllqmnlkmlmllmmmm post
qlkklklkkmklkpknmlknnlnn print
qmlllkmlkllmjqllnlklmmll print (
mllllkrllnmmlllmmmlmmmmm printer
kpkklkklllkmpkqlkmllqmmm println
jqgmjhnojjnopnnkklkkkkkl private
jkomjmkmllolnskmlmlllmml process
klonslllllkljkmllmllljlm props
mlnjrmmmmmlmllmmlmmmmmmm props .
lokllkmolklqklpmmmmmmmmm protected
lklklqollmllllllllllmmlm ptr
llkklkmkkvlllklmlllllmlm pub
jsfohhmrhhjqgphkkkjkjljl public
lrkklkmqkkllkkllllllllll public Xx
lqlkllkqlllkkllmmmllmlll public class
mkkkllljmlmvlllmlmmmlmmm public function
mpllmlkomlmlmmmmmmmmmmmm public int
mplmllknllmnlmlmmmmmmmmm public static
mklllmlpllmnmlmmmmmmmmmm public string
lrlkllkqllmlkklllmlllmmm public void
ljppiknkknnljjkmkllmllll push
lkqqhknklonljjkllllllmll push (
lqnkmllllmmmklrmmmmmmmmm put
nmklkomjonokikmmjknnnlll r
plmjlnmlpmpmkjmlkllnlmmm r .
rlllllllllqllkklkmkqklml raise
qlllkllkqkmlkkklkllljpll range
llslllllplllllmmkmmllmlm req
mookjkkkkjkloqmlllklknkm request
llrkllmlllllnplmlmlmlmlm request (
kkpkllllmlplllnlqmllllml require
klonimnjjlnkjnjlolnlolll res
llpnlknlllnllnlmmlmmlmmm res .
jlsoklllkklmkjmmlmmmmmlm resolve
lmnikllklinlppnmollmkllm response
nmmjjnmlmlljmomlkknllmjk result
onmmmjnklkllmoolllllllll result .
nmonnnnnohjnmngkognhngfj return
kjmlklklolllkpmollqlmlml return $
lmlnlqjlnlmllmmmmmmmlmmm return XX
oonnimmmlkllnmllollllmlm return x_x
kmloklolllolkklmmlkpnlmm root
lkkmhnnjolnjjhklknoolkkm s
lmlnkjmmporllkllklklllmm s .
klmllllllmlmkromlmlmlmmm scheduler
llnilmllllmmukkmmmlmmmmm scope
mlkoimlmllomlmmmmmmmmqmm script
llmlmlmllllllnlmlmlmlqol section
rlnjklknlmllkjklmolklmnn select
rijjhllihrnngrjjojjjhkkj self
plkklokllpmljpklnlllllll self )
qllklnmllolllokmmmllkmlm self ,
sjljijmkjqnkhqlknkjjiklk self .
kjrjkllllopmllmmnlllllmn send
mlmokkjnjlnknomnjnjmkkkl set
mmlllllplllllllmmmmlmllm set ;
llirmmllllqmkklkkmkllklr should
lmkommmkjklkmnmkjkkjolom size
lokkljrlllmlmlnmmmmmlmmm size ()
ljjkktpjlklllllllllllmlm size_t
ljkklqqllklllmlmlllmlmmm sizeof
kklnilmomjlnnnkmnlllmnmm source
klonlllmllmollllnlnllmll span
mmnmkmllmmmnlmmmmmmmmmmm span >
mmkmlmmmmmmommmmmmmmmmmm span class
mklkkpjmmmmllkjolllomqnj src
mlmkmnjnkoklmnklllomkmlm start
ljonnmirklkkkljlklkmpmll state
kpnjioonjilohpiklllkkmll static
mlllmjtkmllmmmmmmmmmmmmm static_cast
mlllljslmllmmmmmmmmmmmmm static_cast <
kjjjkhtjkrkkkkllllllllll std
ljjjkhtjkrkkklllllllllll std ::
tlmijlmkkolkjjjlllonnllk str
rmllmlmmmmlmlllmlllmlmmm str (
khjonilpqgknjjgjmjjqmkij string
lkoplllksllmkkklllkllllk string $
klrijlkpklllnjkmrmllnmmm string .
mkllllmrklmllllmmmlmmmmm string Xx
mjiijtmjpmikjljnlljqplkk struct
monljkjjkmqllqllklllklll super
kmmlmokpoklljnimlllolllk switch
ljljokljpikjihnlnomrhjlk t
mliksllmlmmmllnmlmmmmlmm t (
llmkllmmrlmmllmmommlllmm t ,
mmmmllnmlllmllllnmnplmml t =
mnllkmkmkkmlkklkpllljonn table
nnommkomlmklmqklllkmklll target
mlnljmlllllllllllllllqnl td
mmnljmlmmmmmmlmmmmmmmqmm td >
mmllkmmmmmmmmlmmmmmmmsmm td > $
llknhkrlnlnlllllollmlomm template
kkmnllmimlmkmjmpnnmnikkl test
mlnmmkjlkmkknmikkpnnjpoj text
mpljlmljljkmllmklnkmknmo that
kmnkloliimjnmkljljhkkmmn the
himljiijiiikjiirtkqqgkkk then
hkjkkjkkjkgkkjktvkjpgllk then $
joonmgmmkkikmkmjjkjkjjjo this
jnqnnigllkjkkklkkkkkkkkl this .
jnmlmijnijkmpmnlkllkqllm throw
lpnkpjjokklnjkolllllllll throw new
msllllljklmlkolmmmmmmmmm throws
mklmknklklllkslmmmllmmml timeout
jomnlokikmnjlonlimilkmjn to
kknopllllkklllkllllllmlm toBe
kkooolllllklklkmlllllmmm toBe (
llpmlmlmmlllmmmmmlmmmmmm toEqual
jpnnjkjkkkllnkqlllmllmmm toString
kkkkllllktllkjkllljslkll to_string
gkmmnkllnlomnmlmnpgmnlil true
iimmjiijokmkmomnnojlmklp true $
immnjimljolomnnlljkmomll true )
immnmklnolmmoiklomkmnmlk true ,
lnlnkonokllnjkkmlllllllm true ;
lomnjnonkmlnikklkllllllm true ; $
pokmkjmlkjjmlookjlmnomll try
lonmmjjkkklnpipllllllllm try {
konnmjljlkllnipllllllllm try { $
mkmoojljmjmjkikkoliphnjl type
kloppllljjlnklkmjlllllln type :
nlojjmmlkknlllkkrllklqll type =
khqpmkkplkkljkjlkljlpmll typeof
lllllllrlllmkllmlmlmrmmm typeof (
llkllpklnlolllmnlmlmmmlm u
pkklloqlllllklllmllllmll uint32_t
pikklpqklkllllmlmlllmmlm uint64_t
mlnllmllmlmlllmlmmmmmpnm ul
ljnsqjkklkllkkkmllmmlmll undefined
kmllmmmmmmsmlllllmnllmmm unless
lkkllsnkllmlllllllmlllkm unsigned
lkllllllmrmllllmmmmmmmmm unwrap
mlllmlkmmsmmllmmmmmmmmmm unwrap ()
olmofkjjihlkppkklllmkmpk url
jjnllmijlrooqkimklklllnn use
kkkkkmpqkkllmmllllklqmln using
oonlklllllkmlkokqmlllmml util
lplmllllllkmllomrmkllmml util .
kmkninmmonjkjiloolmolklm v
kiijgmiiijlisirjijlnmjkk val
jjiklkkkkkklrislklmpklll val x
kkkklllllllmsjqmlmkllmmm val xX
kklllllllllmrkqllmlmlmmm val x_x
mmmnnmlpklojjoljjjjklmjl value
jfqfggfrqjliprnkjjjkjmpk var
llklllklpmllkkllmlmlkmrl var (
lknjkkkqmlllnqlmlmlllllm var xX
onmjkjjimmokiiqlnlkqjkkp version
mpfmoqqojiklhjikkkljklkl void
lillllptlkmllllmmmlllmmm void Xx
nrkllmnkllmlkllmmmmmmmmm void xX
nplllomlmlmllllmmmmmmmmm void x_x
lmlnimmkrlnlmkllllolllmk w
jlmjkkkkkmqnppllklllkmlo when
pkkmkkkmjmjlililllvjlmlo where
lllllllllmkmklklllwkkmml where $
kjlopkhkkmklkojjklkljrpj width
oikjklkjjkjpipqjjkiqkmkp with
mllllllllllmllkllmktllmm with $
mmmmlmmlmmmkmmmnmmmmmlmn x
ijjjikollhqkjjmoilrqjolj x "
lgkkjihjlinjlmlojponmlhp x $
nlmmllmhimnnmmlfnmmjommi x (
nlmnlimehnlkmnmmlmiomjii x ()
olmlhkkjkmjmoqnknlkkmlll x () $
mnlmlnmmlnlglllmlmmmnllk x )
mklmkkkmmmnjmnmlmkmnnljj x ) $
lmkmiommlmkllknllklnnlll x ))
lmmllmmmmmkikllkmmklnlmn x ,
mmlnnlkmmmjjlkkjmiminjnj x , $
kkkknklijkipjijnkjkkjnqo x -
jkiikqqjkijlmjikkkqpmllk x ->
nmmmmkkmolmimlmlnlijjmko x .
jikllknlkmkmjjmpmkjkmlkp x /
ljmmmjhjkmmimomlkljlgooo x :
qkljljllkkjkjmjjkokmlkms x : $
kiiijeqkirhokjkkllmlpinp x ::
hmlmkoonililhhiljminnoph x ;
iomlloooimjkhiiiilimknoh x ; $
nmmmlmlljmmhmllnnmlmnmji x =
nllllmnllkmlmjmkmlmmnkkj x [
olmmklllknnkmmhmmklmmkln x ]
kmiikmjkllkkkimojmnolmko x x
hjgnoijjitqlkkiljkimsmln x!
jkihpjkklvmlkkklklllsmml x! (
olkkllkllkllljkkkntnjlmm x'
hijnqjjmikuknpikiljjjnkk x?
kllllllmlmvmllllkmllkmmk x? $
lmmmmmmkmllkmmmmkmnmlijk xX
kllkllllklqmkkkmkmpmllml xX "
mhllkkhimlnjnolnjmqnlljj xX $
mnnnnmkcllmonmmhmnlhkili xX (
molnnklkkkolmnmlknjkjlll xX ( $
lplkmkmeinjnpnlnklijlkjk xX ()
mlnljkkjlmkooonkmlkkllll xX () $
lmmmnnlnklmiomnkllmklkkk xX )
nlkjmllmmjmkmmnlmkmmnlll xX ) $
plmlkplmmllllllmmmnllmmm xX *
nnmmnmlmmmkimmmkkkkkmkkk xX ,
lkmnmnmmlljjmmmkkjkjmkli xX , $
mllmnimnlllimmnmkljgjkko xX .
khnnnnjljlmjmpmjjjinijjk xX :
llkllkmlmnkllllmmorllmml xX ::
jonnmpmnkllkijklkljnlmkl xX ;
knnnlpomkmkkijkllmjmlmjl xX ; $
nkjmolokllmlpjkmlmmmlmml xX <
nlmmllmkkkkgnmmlminmlkjm xX =
mlmmlkmlmkmknmolmlnkjlll xX [
jkjkjolkkknlkkjljmtojklm xX x
ljkklqllllnljmmmlmrmllll xX xX
ljiijlkkonllqpmllmllllol xX {
kjjjkmkkomllqpklllllllol xX { $
kkoonlmllmlljnkllmllllmm xX }
lloirlllmlmmlmlllmlmmlmm xX } $
mlmlmmmkllmklmlmlnnnljjk x_x
jlllllllllqlkllmklroklmk x_x "
mhmkinhikipjlmmpjlqokljj x_x $
mnmmmnldkomonmmgmmlikjji x_x (
nnknmkmjinollkokmnkkjlll x_x ( $
nolkllmfioioonlnmojjljjj x_x ()
lmlmlmmmlklilmnjmmllmklk x_x )
lkmlilkmmjnknnnlnknnllll x_x ) $
lnmnjmnnmkklmlmlkllnmlll x_x ))
ojlkmonklkmllmllklllklll x_x *
mmmmmmmmlkkiklmilljlmjki x_x ,
mlnmmnlkmkjjmlnjlikjmklj x_x , $
lmlklmqllklmmllmmmmmlmmm x_x ->
mmlmmikmlkmimmnllohgllko x_x .
ljmnmmkllnlkloljkjiohkjl x_x :
rlkmlpllolklljlllmllmmmo x_x : $
llllljnllpklklllkookpmml x_x ::
jmnmlooolmkjjjkjjkkommjk x_x ;
jnlnmoomknkkjjklkkkolljl x_x ; $
nkmnmjqllllloklmlmmmlmml x_x <
nllllmlmlklhomlnnimnokji x_x =
nmnljlmlmkkmllqlmlmlllll x_x [
ikjijonkkknlkjkohospiklk x_x x
kkkklqnllkmlkmllllpoklll x_x x_x
kjijjmlkpnnlpplljmnlklol x_x {
klkmllkllsnlmolmlmmlomml x_x!
mllmmlkmmrmlmmmmlmmmnmmm x_x! (
jkjmrllklktlnnklkmlkkoll x_x?
klmomlmjjjjkkjolmkllpokk y
imnnnmmnmnmmnmmkmfkkjmof {
pnkhkprlmimlokllmmklkllm { "
innnnnnonnjnnmnlnfieckpe { $
lmlmllllmmmmmlmmlmlmmtlm { %
mmlmlmlmkmllmllllmllmsmm { -
nojkqmnmmlklklmlmmlllklm { 0
kjnmmklnmojloknlmlklqklj { Xx
mjlmlllrklmllnlllmmllllm { get
kionokiillojmoklmllpkkkk { x
jjlnokkkllmlomkkklomljll { xX
lmmknlnjjkkkjkkknlklltll { {
mllllllkllmllllmmmmmmtlm { {-
lllllllllltmklllkmlollmm { |
mllllllkllmllllmmmmmmslm {-
mlllllljllmllllmmmmmmtlm {- }
lmnpohohplojikjknkmjjkkk {}
lnlpmjnionnkkmklnlklklll {} $
lhlnmjjihnolghjnhjnphnim |
jljmklmlklulmkklkmjklnlq | $
llkpkkllklllkkkllloolkln | Xx
giomolmmknnmjhiphpliljki ||
immnnlmmnnlmnnnlmfjkkmmd }
hnmmmmmmnnkmoonllgkjhlme } $
jkoopfkklnmkjjkmnjklmlik } )
klppkjjjmmkkkllnnkllkkkl } ) $
ljmnnmmkpkmjmljjpjjkmmij } ,
mjmnnmoknllimlikpkikkljj } , $
mllllktkllllnllmmmmmmmmm } //
jlnoonomjomijiilkkkmjkkl } ;
jmnonmpnjnnjjiimjklkkkkl } ; $
knnollmimojmnmnkjlkkklkl } else
nkljnnmllinkkillnlklnrll } }
mkmipkkkkkmklkkkmllllsll } } $
lkmkllnllkllljklllivklll ~x
llkllllllllmlklllmktllll ~x :
"""
"""One mark in each line, after a letter for each of the languages."""
