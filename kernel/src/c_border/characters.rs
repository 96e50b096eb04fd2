//! The functions of the C library by which the scanners of grammars tell kinds of characters. C libraries differ in them,
//! so the tables come with the rules: those of the library that the native kernel has. A page gives grammars these functions
//! in place of those of the library that is linked, whose names they have behind `kernel_`.

use std::sync::OnceLock;

use super::messages::Reader;

/// Characters as half-open spans, ascending.
type Spans = Vec<(u32, u32)>;

struct Kinds {
    alnum: Spans,
    alpha: Spans,
    lower: Spans,
    space: Spans,
    upper: Spans,
    /// The characters that have another upper case, ascending, each with it.
    upper_case: Vec<(u32, u32)>,
}

static KINDS: OnceLock<Kinds> = OnceLock::new();

/// Takes the tables from the rules.
pub fn set_kinds(request: &mut Reader) -> Option<()> {
    let mut pairs = || request.list(|request| Some((request.number()?, request.number()?)));
    let kinds = Kinds {
        alnum: pairs()?,
        alpha: pairs()?,
        lower: pairs()?,
        space: pairs()?,
        upper: pairs()?,
        upper_case: pairs()?,
    };
    KINDS.get_or_init(|| kinds);
    Some(())
}

fn is_in(point: u32, spans: impl Fn(&Kinds) -> &Spans) -> i32 {
    let spans = KINDS.get().map(spans).map_or(&[][..], Vec::as_slice);
    let behind = spans.partition_point(|&(first, _)| first <= point);
    i32::from(behind > 0 && point < spans[behind - 1].1)
}

#[unsafe(no_mangle)]
extern "C" fn kernel_iswalnum(point: u32) -> i32 {
    is_in(point, |kinds| &kinds.alnum)
}

#[unsafe(no_mangle)]
extern "C" fn kernel_iswalpha(point: u32) -> i32 {
    is_in(point, |kinds| &kinds.alpha)
}

#[unsafe(no_mangle)]
extern "C" fn kernel_iswlower(point: u32) -> i32 {
    is_in(point, |kinds| &kinds.lower)
}

#[unsafe(no_mangle)]
extern "C" fn kernel_iswspace(point: u32) -> i32 {
    is_in(point, |kinds| &kinds.space)
}

#[unsafe(no_mangle)]
extern "C" fn kernel_iswupper(point: u32) -> i32 {
    is_in(point, |kinds| &kinds.upper)
}

#[unsafe(no_mangle)]
extern "C" fn kernel_iswxdigit(point: u32) -> i32 {
    i32::from(char::from_u32(point).is_some_and(|character| character.is_ascii_hexdigit()))
}

#[unsafe(no_mangle)]
extern "C" fn kernel_towupper(point: u32) -> u32 {
    let pairs = KINDS.get().map_or(&[][..], |kinds| kinds.upper_case.as_slice());
    pairs.binary_search_by_key(&point, |&(lower, _)| lower).map_or(point, |at| pairs[at].1)
}
