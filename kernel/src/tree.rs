//! The interface to the parser's core (`walk.c`): a grammar, and the leaves of a source's tree.

use std::ffi::c_char;
use std::ptr::NonNull;
use std::slice;
use std::sync::{Mutex, PoisonError};

/// The number of kind ids, which have 16 bits.
pub const KINDS: usize = 1 << 16;

/// A leaf: the kind id of its node, and its half-open byte span, which may reach one byte beyond the source.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub start: u32,
    pub end: u32,
    pub kind: u16,
    /// Whether it is an ERROR node, or directly under one; 0 or 1.
    pub is_broken: u16,
}

/// A generated parser, as the pointer that its wheel provides.
#[derive(Clone, Copy)]
pub struct Language(NonNull<RawLanguage>);

// SAFETY: a generated parser is constant data and functions without state of their own.
unsafe impl Send for Language {}
// SAFETY: as for `Send`.
unsafe impl Sync for Language {}

impl Language {
    /// # Safety
    ///
    /// The pointer has to be that of a `TSLanguage` and stay valid as long as the process runs.
    pub unsafe fn new(pointer: NonNull<std::ffi::c_void>) -> Self {
        Self(pointer.cast())
    }
}

#[repr(C)]
struct RawLanguage {
    _private: [u8; 0],
}

#[repr(C)]
struct RawParser {
    _private: [u8; 0],
}

#[repr(C)]
struct RawTree {
    leaves: *const Leaf,
    count: usize,
    error_bytes: u64,
    has_error: bool,
}

unsafe extern "C" {
    fn kernel_parser_new() -> *mut RawParser;
    fn kernel_parser_delete(parser: *mut RawParser);
    fn kernel_parse(
        parser: *mut RawParser,
        language: *const RawLanguage,
        source: *const c_char,
        length: u32,
        actions: *const u8,
        nanoseconds: u64,
        by_cursor: bool,
        tree: *mut RawTree,
    ) -> i32;
    fn kernel_processor_nanoseconds() -> u64;
}

/// The processor time of this thread.
pub fn processor_nanoseconds() -> u64 {
    // SAFETY: the function takes no argument and only asks for the time.
    unsafe { kernel_processor_nanoseconds() }
}

/// A parser, which reuses its memory for the next parse.
pub struct Parser(NonNull<RawParser>);

// SAFETY: a parser has no ties to the thread that made it, and `parse` borrows it exclusively.
unsafe impl Send for Parser {}

/// The leaves of a tree in order.
pub struct Leaves<'a> {
    pub leaves: &'a [Leaf],
    /// Bytes under ERROR nodes.
    pub error_bytes: u64,
    /// Whether the tree has an ERROR node, or a token that the parser made up.
    pub has_error: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The parse took longer than it was given.
    Late,
    /// The core cannot read the version of the grammar.
    NotLoaded,
    /// The source has 4 GB or more.
    TooLarge,
}

impl Parser {
    fn new() -> Self {
        // SAFETY: the function takes no argument and returns a parser or null.
        let parser = unsafe { kernel_parser_new() };
        Self(NonNull::new(parser).expect("memory for a parser"))
    }

    /// Parses a source in UTF-8 and lists the leaves. Bytes that are not UTF-8 end up under ERROR nodes.
    ///
    /// `actions` has for each kind id what to do at a node: 0 visits its children, 1 and 2 take it whole, 3 counts it
    /// as an error and visits its children, 4 takes it whole except the children whose action has 8 added, which it
    /// visits. With `by_cursor`, the core's public cursor walks the tree, with the same result.
    pub fn parse(
        &mut self,
        language: Language,
        source: &[u8],
        actions: &[u8; KINDS],
        nanoseconds: u64,
        by_cursor: bool,
    ) -> Result<Leaves<'_>, Failure> {
        // The parser reads one byte more than the source has: a line feed.
        let length = u32::try_from(source.len()).ok().filter(|&length| length < u32::MAX).ok_or(Failure::TooLarge)?;
        let mut tree = RawTree { leaves: std::ptr::null(), count: 0, error_bytes: 0, has_error: false };
        // SAFETY: all pointers are valid during the call, with the lengths that are passed, and `self` is borrowed
        // exclusively. The callee keeps none of the pointers except its own.
        let status = unsafe {
            kernel_parse(
                self.0.as_ptr(),
                language.0.as_ptr(),
                source.as_ptr().cast(),
                length,
                actions.as_ptr(),
                nanoseconds,
                by_cursor,
                &raw mut tree,
            )
        };
        match status {
            0 => {}
            1 => return Err(Failure::Late),
            _ => return Err(Failure::NotLoaded),
        }
        let leaves: &[Leaf] = if tree.count == 0 {
            &[]
        } else {
            // SAFETY: the callee filled this number of leaves. They stay valid until the next call, which needs `self`,
            // and the result borrows `self`.
            unsafe { slice::from_raw_parts(tree.leaves, tree.count) }
        };
        Ok(Leaves { leaves, error_bytes: tree.error_bytes, has_error: tree.has_error })
    }
}

impl Drop for Parser {
    fn drop(&mut self) {
        // SAFETY: `kernel_parser_new` made the parser, and it is deleted only here.
        unsafe { kernel_parser_delete(self.0.as_ptr()) }
    }
}

static IDLE: Mutex<Vec<Parser>> = Mutex::new(Vec::new());

/// Calls `run` with a parser that nothing else uses at the same time. Idle parsers are used again.
pub fn with_parser<T>(run: impl FnOnce(&mut Parser) -> T) -> T {
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = idle().pop();
    let mut parser = found.unwrap_or_else(Parser::new);
    let result = run(&mut parser);
    idle().push(parser);
    result
}
