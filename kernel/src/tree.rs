//! The border to the parser's core (`walk.c`): a grammar, and the leaves of a source's tree.

use std::ffi::c_char;
use std::ptr::NonNull;
use std::slice;
use std::sync::{Mutex, PoisonError};

/// Kind ids are of 16 bits.
pub const KINDS: usize = 1 << 16;

/// A leaf: the kind id of its node, and its half-open byte span, which may reach one byte beyond the source.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub start: u32,
    pub end: u32,
    pub kind: u16,
}

/// A generated parser, by the pointer that its wheel gives.
#[derive(Clone, Copy)]
pub struct Language(NonNull<RawLanguage>);

// SAFETY: a generated parser is constant data and functions without state of their own.
unsafe impl Send for Language {}
// SAFETY: as above.
unsafe impl Sync for Language {}

impl Language {
    /// # Safety
    ///
    /// The pointer is that of a `TSLanguage`, and stays valid as long as the process runs.
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
}

/// The memory of one parse after the other.
pub struct Parser(NonNull<RawParser>);

// SAFETY: it has no ties to the thread that made it; `parse` takes it for itself alone.
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
    /// The grammar is not of a version that the core reads.
    NotLoaded,
    /// The source is of 4 GB or more.
    TooLarge,
}

impl Parser {
    fn new() -> Self {
        // SAFETY: takes nothing, and gives a parser or null.
        let parser = unsafe { kernel_parser_new() };
        Self(NonNull::new(parser).expect("memory for a parser"))
    }

    /// Parses UTF-8, other bytes end up under ERROR nodes, and lists the leaves.
    ///
    /// `actions` has for each kind id what to do at a node: 0 visits its children, 1 and 2 take it whole, 3 counts it as
    /// an error and visits its children, 4 takes it whole except the children whose action has 8 added, which it
    /// visits. `by_cursor` walks with the core's public cursor; it gives the same.
    pub fn parse(
        &mut self,
        language: Language,
        source: &[u8],
        actions: &[u8; KINDS],
        nanoseconds: u64,
        by_cursor: bool,
    ) -> Result<Leaves<'_>, Failure> {
        // One byte more than the source is read: a line feed.
        let length = u32::try_from(source.len()).ok().filter(|&length| length < u32::MAX).ok_or(Failure::TooLarge)?;
        let mut tree = RawTree { leaves: std::ptr::null(), count: 0, error_bytes: 0, has_error: false };
        // SAFETY: all pointers are valid for the call and of the lengths that are given with them, and `self` is
        // borrowed for itself alone; the callee keeps none of them but its own.
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
            // SAFETY: the callee filled this number of leaves, which stay until the next call; that needs `self`, which
            // the result borrows.
            unsafe { slice::from_raw_parts(tree.leaves, tree.count) }
        };
        Ok(Leaves { leaves, error_bytes: tree.error_bytes, has_error: tree.has_error })
    }
}

impl Drop for Parser {
    fn drop(&mut self) {
        // SAFETY: made by `kernel_parser_new`, and deleted once.
        unsafe { kernel_parser_delete(self.0.as_ptr()) }
    }
}

static IDLE: Mutex<Vec<Parser>> = Mutex::new(Vec::new());

/// Does something with a parser that nothing else uses: there are as many as calls at the same time.
pub fn with_parser<T>(run: impl FnOnce(&mut Parser) -> T) -> T {
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = idle().pop();
    let mut parser = found.unwrap_or_else(Parser::new);
    let result = run(&mut parser);
    idle().push(parser);
    result
}
