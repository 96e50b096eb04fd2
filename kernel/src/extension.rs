//! The interface to Python. `wherefrom/_kernel.pyi` describes each class and method.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::background;
use crate::chains;
use crate::characters::{Characters, PAGE, Page};
use crate::compare::{self, Comparison, Contents, MatchedFiles, Members, Role, Rules};
use crate::document::{self, Content, Part, Stretch, parse};
use crate::evidence;
use crate::hashing::{Coding, word};
use crate::insides;
use crate::joined::{self, Joined};
use crate::kgrams::{self, Representation, Scheme, Writing};
use crate::lexing::{self, Lexer};
use crate::mending::Broken;
use crate::noise::Noise;
use crate::postings::{Damaged, Layout, Reader};
use crate::querying::{self, QueryKGrams, Windows};
use crate::references::{Marks, Speech, Words};
use crate::stored;
use crate::text;
use crate::tokens::{self, Tokens};
use crate::translations::{Odds, Worded};
use crate::tree::{Failure, KINDS, Language};
use crate::values::{Quote, Spelling};
use crate::words;

const CAPSULE: &CStr = c"tree_sitter.Language";

#[pyclass(frozen, name = "Grammar")]
struct PyGrammar {
    grammar: tokens::Grammar,
    /// Keeps the module of the grammar loaded.
    _capsule: Py<PyCapsule>,
}

/// The quotes (mark, escapes, same); the plain, raw and all prefixes of strings; the meanings of letters after a backslash.
type PySpelling = (Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>, Vec<u8>, Vec<u8>, Vec<u8>, (Vec<u8>, Vec<u8>));

/// The fields of `Noise`.
type PyNoise = (Vec<u64>, Vec<u64>, Vec<u64>, Option<(u64, u64)>, Vec<u64>);

/// The fields of `lexing::Rules`.
type PyLexer = (Vec<(u8, Vec<u8>)>, HashSet<Vec<u8>>, Vec<(Vec<u8>, Vec<Vec<u8>>)>, Vec<u8>, (bool, bool, bool));

#[pymethods]
impl PyGrammar {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the tables of a grammar")]
    fn new(
        capsule: Bound<'_, PyCapsule>,
        actions: &[u8],
        classes: &[u8],
        texts: Vec<Vec<u8>>,
        codes: Vec<u64>,
        keywords: HashSet<Vec<u8>>,
        spelling: Option<PySpelling>,
        noise: Option<PyNoise>,
        lexer: Option<PyLexer>,
    ) -> PyResult<Self> {
        // SAFETY: the call checks that the first argument is a capsule of that name, and otherwise sets an exception.
        let pointer = unsafe { pyo3::ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr()) };
        let Some(pointer) = NonNull::new(pointer) else { return Err(PyErr::fetch(capsule.py())) };
        // SAFETY: under that name, a grammar gives its `TSLanguage`, a constant of a module that is never unloaded.
        let language = unsafe { Language::new(pointer) };
        if texts.len() != codes.len() {
            return Err(PyValueError::new_err("a grammar has one code for each fixed text"));
        }
        let grammar = tokens::Grammar {
            language,
            actions: table(actions)?,
            classes: table(classes)?,
            texts: texts.into_iter().map(Vec::into_boxed_slice).collect(),
            codes,
            keywords,
            spelling: spelling.map(|(quotes, plain, raw, prefixes, letters)| Spelling {
                quotes: quotes.into_iter().map(|(mark, escapes, same)| Quote { mark, escapes, same }).collect(),
                plain,
                raw,
                prefixes,
                letters,
            }),
            noise: noise.map(|(anywhere, before_closing, closing, grouping, calls)| Noise {
                anywhere,
                before_closing,
                closing,
                grouping,
                calls,
            }),
            lexer: lexer
                .map(|(forms, keywords, strings, before_long, flags)| {
                    Lexer::new(lexing::Rules { forms, keywords, strings, before_long, flags }).ok_or_else(|| {
                        PyValueError::new_err("a lexical form has a syntax that the kernel does not know")
                    })
                })
                .transpose()?,
        };
        Ok(Self { grammar, _capsule: capsule.unbind() })
    }
}

fn table(values: &[u8]) -> PyResult<Box<[u8; KINDS]>> {
    Box::<[u8; KINDS]>::try_from(Box::<[u8]>::from(values))
        .map_err(|_| PyValueError::new_err(format!("a table has {KINDS} entries, not {}", values.len())))
}

/// The tokens of one text, as `parsing.Parsed` has them: arrays as bytes.
#[pyclass(frozen, get_all, name = "Tokens")]
struct PyTokens {
    starts: Py<PyBytes>,
    ends: Py<PyBytes>,
    classes: Py<PyBytes>,
    codes: Py<PyBytes>,
    comments: Vec<(u32, u32)>,
    errors: u64,
    unparsed: u64,
    broken: Vec<Broken>,
}

impl PyTokens {
    fn new(py: Python<'_>, tokens: Tokens, broken: Vec<Broken>) -> PyResult<Self> {
        Ok(Self {
            starts: array(py, &tokens.starts, |&start| i64::from(start).to_ne_bytes())?,
            ends: array(py, &tokens.ends, |&end| i64::from(end).to_ne_bytes())?,
            classes: PyBytes::new(py, &tokens.classes).unbind(),
            codes: array(py, &tokens.codes, |code| code.to_ne_bytes())?,
            comments: tokens.comments,
            errors: tokens.errors,
            unparsed: tokens.unparsed,
            broken,
        })
    }
}

fn array<Value, const SIZE: usize>(
    py: Python<'_>,
    values: &[Value],
    bytes: impl Fn(&Value) -> [u8; SIZE],
) -> PyResult<Py<PyBytes>> {
    let made = PyBytes::new_with(py, values.len() * SIZE, |buffer| {
        for (place, value) in buffer.chunks_exact_mut(SIZE).zip(values) {
            place.copy_from_slice(&bytes(value));
        }
        Ok(())
    })?;
    Ok(made.unbind())
}

fn term_arrays(py: Python<'_>, terms: Vec<Option<Vec<u64>>>) -> PyResult<Vec<Option<Py<PyBytes>>>> {
    terms.into_iter().map(|terms| terms.map(|terms| array(py, &terms, |term| term.to_ne_bytes())).transpose()).collect()
}

fn no_stream() -> PyErr {
    PyValueError::new_err("a stored token stream has its parts, and numbers that are in them")
}

/// Everything that an index stores of one content.
#[pyclass(frozen, get_all, name = "Document")]
struct PyDocument {
    tokens: usize,
    inside: usize,
    symbols: usize,
    gaps: usize,
    codes: Py<PyBytes>,
    planes: Py<PyBytes>,
    symbol_words: Py<PyBytes>,
    owners: Vec<u32>,
    terms: Vec<Option<Py<PyBytes>>>,
    errors: u64,
    unparsed: u64,
    words: u64,
    stretches: Vec<Stretch>,
}

/// The fields of `Part`, as Python gives them.
type PyPart<'py> =
    (Option<Py<PyGrammar>>, Option<Bound<'py, PyBytes>>, usize, Option<(PyBuffer<i64>, PyBuffer<i64>)>, bool, bool);

/// The rules of `insides`, as Python gives them: numbers, and words.
type PyInsides = ((usize, usize, usize, u32), Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<Vec<u8>>);

/// The rules of `words`: what is left out, the longest name, and the scheme.
type PySubWords = (HashSet<Vec<u8>>, usize, (usize, usize, usize, u32));

#[pyclass(frozen, name = "Kernel")]
struct PyKernel {
    rules: document::Rules,
    page: Py<PyAny>,
}

#[pymethods]
impl PyKernel {
    #[new]
    #[pyo3(signature = (*, seed, code_bits, base, member_marks, call_mark, string, number, distances, page, words, continued, blanks, insides, schemes, sub_words))]
    #[expect(clippy::too_many_arguments, reason = "they are the rules, and Python gives each by name")]
    fn new(
        seed: u32,
        code_bits: u32,
        base: u64,
        member_marks: Vec<u64>,
        call_mark: u64,
        string: u64,
        number: u64,
        distances: Vec<u64>,
        page: Py<PyAny>,
        words: Vec<Vec<u8>>,
        continued: Vec<u8>,
        blanks: Vec<u8>,
        insides: PyInsides,
        schemes: Vec<(String, usize, usize, usize, u32)>,
        sub_words: PySubWords,
    ) -> PyResult<Self> {
        if !(1..=64).contains(&code_bits) || !(1..=256).contains(&distances.len()) {
            return Err(PyValueError::new_err("codes have 1 to 64 bits, and there are 1 to 256 distances"));
        }
        let ((least, longest, average, head), joining, opening, notices) = insides;
        let insides = insides::Rules { words: least, longest, average, joining, opening, head, notices };
        let words = Words::new(words).ok_or_else(|| PyValueError::new_err("there are at most 64 words, none empty"))?;
        let schemes = schemes.iter().map(|given| scheme(given, distances.len())).collect::<PyResult<_>>()?;
        let coding = Coding { seed, bits: code_bits };
        let (left_out, longest, (k, inner, w, bits)) = sub_words;
        let scheme = scheme(&("exact".to_owned(), k, inner, w, bits), distances.len())?;
        let rules = document::Rules {
            coding,
            writing: Writing { base, member_marks, call_mark, string, number, distances },
            characters: Characters::new(),
            words,
            marks: Marks { continued, blanks },
            insides: Some(insides),
            schemes,
            sub_words: Some(words::Rules { coding, left_out, longest, scheme }),
        };
        Ok(Self { rules, page })
    }

    #[pyo3(signature = (grammar, source, nanoseconds, *, by_cursor = false))]
    fn parse(
        &self,
        py: Python<'_>,
        grammar: &Bound<'_, PyGrammar>,
        source: &[u8],
        nanoseconds: u64,
        by_cursor: bool,
    ) -> PyResult<PyTokens> {
        let grammar = &grammar.get().grammar;
        let (tokens, broken) =
            py.detach(|| parse(grammar, source, nanoseconds, by_cursor, self.rules.coding)).map_err(PyErr::from)?;
        PyTokens::new(py, tokens, broken)
    }

    fn read(
        &self,
        py: Python<'_>,
        grammar: &Bound<'_, PyGrammar>,
        source: &[u8],
        nanoseconds: u64,
    ) -> PyResult<PyTokens> {
        let grammar = &grammar.get().grammar;
        let tokens =
            py.detach(|| document::read(grammar, source, nanoseconds, self.rules.coding)).map_err(PyErr::from)?;
        PyTokens::new(py, tokens, Vec::new())
    }

    #[pyo3(signature = (grammar, source, nanoseconds, *, starts, ends, classes, comments, errors, broken))]
    #[expect(clippy::too_many_arguments, reason = "Python gives each by name")]
    fn merged(
        &self,
        py: Python<'_>,
        grammar: &Bound<'_, PyGrammar>,
        source: &[u8],
        nanoseconds: u64,
        starts: PyBuffer<i64>,
        ends: PyBuffer<i64>,
        classes: PyBuffer<u8>,
        comments: Vec<(u32, u32)>,
        errors: u64,
        broken: Vec<Broken>,
    ) -> PyResult<PyTokens> {
        let grammar = &grammar.get().grammar;
        let places = |column: Vec<i64>| column.into_iter().map(|at| at as u32).collect();
        let (starts, ends) = (places(starts.to_vec(py)?), places(ends.to_vec(py)?));
        let parsed = Tokens { starts, ends, classes: classes.to_vec(py)?, comments, errors, ..Tokens::default() };
        let given = parsed.starts.len() == parsed.classes.len() && parsed.ends.len() == parsed.classes.len();
        let spans =
            || parsed.starts.iter().zip(&parsed.ends).chain(parsed.comments.iter().map(|(start, end)| (start, end)));
        let (true, Some(lexer)) =
            (given && spans().all(|(start, end)| start < end && *end as usize <= source.len()), &grammar.lexer)
        else {
            return Err(PyValueError::new_err("the tokens are in the text, whose language has lexical forms"));
        };
        let tokens = py
            .detach(|| document::read_both(grammar, lexer, source, (&parsed, &broken), nanoseconds, self.rules.coding))
            .map_err(PyErr::from)?;
        PyTokens::new(py, tokens, Vec::new())
    }

    fn characters(&self, py: Python<'_>, text: &[u8]) -> PyResult<PyTokens> {
        let tokens = py.detach(|| self.rules.characters.tokens(text, |number| self.load(number)))?;
        PyTokens::new(py, tokens, Vec::new())
    }

    #[pyo3(signature = (content, parts, nanoseconds, *, newlines, is_prose, is_kept))]
    #[expect(clippy::too_many_arguments, reason = "Python gives each by name")]
    fn document(
        &self,
        py: Python<'_>,
        content: &[u8],
        parts: Vec<PyPart<'_>>,
        nanoseconds: u64,
        newlines: Option<PyBuffer<i64>>,
        is_prose: bool,
        is_kept: bool,
    ) -> PyResult<PyDocument> {
        if u32::try_from(content.len()).is_err() {
            return Err(PyValueError::new_err("a content is shorter than 4 GB"));
        }
        let newlines = newlines.map(|newlines| newlines.to_vec(py)).transpose()?;
        let newlines = newlines.map(|newlines| newlines.into_iter().map(|at| at as u32).collect());
        let parts = parts.iter().map(|part| read(py, content, part)).collect::<PyResult<Vec<_>>>()?;
        let whole = Content { bytes: content, parts, newlines, is_prose, is_kept };
        let made = py.detach(|| self.rules.document(&whole, nanoseconds, |number| self.load(number)))?;
        let terms = term_arrays(py, made.terms)?;
        Ok(PyDocument {
            tokens: made.tokens,
            inside: made.inside,
            symbols: made.planes.symbols,
            gaps: made.planes.gaps,
            codes: PyBytes::new(py, &made.planes.codes).unbind(),
            planes: PyBytes::new(py, &made.planes.planes).unbind(),
            symbol_words: PyBytes::new(py, &made.planes.words).unbind(),
            owners: made.owners,
            terms,
            errors: made.errors,
            unparsed: made.unparsed,
            words: made.words,
            stretches: made.stretches,
        })
    }

    fn stored_terms(&self, py: Python<'_>, stored: &[u8]) -> PyResult<Vec<Option<Py<PyBytes>>>> {
        term_arrays(py, py.detach(|| self.rules.stored_terms(stored)).ok_or_else(no_stream)?)
    }

    fn words(
        &self,
        py: Python<'_>,
        content: &[u8],
        codes: PyBuffer<u64>,
        classes: PyBuffer<u8>,
        starts: PyBuffer<i64>,
        ends: PyBuffer<i64>,
    ) -> PyResult<[Py<PyBytes>; 2]> {
        let Some(rules) = &self.rules.sub_words else { return Err(PyValueError::new_err("there are no rules")) };
        let (codes, classes) = (codes.to_vec(py)?, classes.to_vec(py)?);
        let (starts, ends) = (starts.to_vec(py)?, ends.to_vec(py)?);
        if [classes.len(), starts.len(), ends.len()] != [codes.len(); 3] {
            return Err(PyValueError::new_err("each token has a class and a place"));
        }
        let spans = starts.iter().zip(&ends).map(|(&start, &end)| content.get(start as usize..end as usize));
        let tokens = codes.iter().zip(classes).zip(spans);
        let found = rules.of_symbols(tokens.map(|((&code, class), text)| (code, class, text.unwrap_or_default())));
        let numbers: Vec<u32> = (0..codes.len() as u32).collect();
        placed_words(py, &found, &numbers)
    }

    fn word_terms(&self, py: Python<'_>, words: PyBuffer<u32>, is_query: bool) -> PyResult<Option<Py<PyBytes>>> {
        let words = words.to_vec(py)?;
        let terms = |rules: &words::Rules| rules.terms(&words, &self.rules.writing, is_query);
        let terms = self.rules.sub_words.as_ref().and_then(terms);
        Ok(term_arrays(py, vec![terms])?.remove(0))
    }

    fn stored_words(&self, py: Python<'_>, stored: &[u8]) -> PyResult<[Py<PyBytes>; 2]> {
        let text = stored::opened(stored).ok_or_else(no_stream)?;
        let found = words::Words::opened(&text.words, &text.codes).ok_or_else(no_stream)?;
        placed_words(py, &found, &text.numbers)
    }

    fn stored_stream(&self, py: Python<'_>, stored: &[u8]) -> PyResult<([Py<PyBytes>; 9], String)> {
        let (text, places) = py.detach(|| stored::opened_with_places(stored)).ok_or_else(no_stream)?;
        let found = words::Words::opened(&text.words, &text.codes).ok_or_else(no_stream)?;
        let [words, owners] = placed_words(py, &found, &text.numbers)?;
        let numbers = |values: &[u32]| array(py, values, |&value| i64::from(value).to_ne_bytes());
        let columns = [
            array(py, &text.numbers, |&number| text.codes[number as usize].to_ne_bytes())?,
            array(py, &text.numbers, |&number| [text.classes[number as usize]])?,
            numbers(&text.segments)?,
            numbers(&places.starts)?,
            numbers(&places.ends)?,
            numbers(&places.start_lines)?,
            numbers(&places.end_lines)?,
            words,
            owners,
        ];
        Ok((columns, text.languages))
    }

    fn text(&self, py: Python<'_>, stored: &[u8]) -> PyResult<PyText> {
        let read = |symbols| PyText { aligned: evidence::Text::of_symbols(&symbols), symbols };
        py.detach(|| stored::opened(stored).map(read)).ok_or_else(no_stream)
    }

    fn kgrams(&self, py: Python<'_>, text: &Bound<'_, PyText>, representation: &str, k: usize) -> PyResult<PyKGrams> {
        let kind = self.kind(representation, k)?;
        let symbols = &text.get().symbols;
        let (spans, hashes) = py.detach(|| kgrams::of_text(symbols, kind, k, &self.rules.writing));
        Ok((spans, array(py, &hashes, |hash| hash.to_ne_bytes())?))
    }

    fn shared(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyText>,
        wanted: Vec<(String, usize, PyBuffer<u64>)>,
    ) -> PyResult<Vec<Py<PyBytes>>> {
        let read =
            |(name, k, hashes): &(String, usize, PyBuffer<u64>)| Ok((self.kind(name, *k)?, *k, hashes.to_vec(py)?));
        let wanted = wanted.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let symbols = &text.get().symbols;
        let found = py.detach(|| kgrams::shared(symbols, &wanted, &self.rules.writing));
        found.iter().map(|own| array(py, own, |&is_shared| [u8::from(is_shared)])).collect()
    }

    fn sketch(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyText>,
        ks: [usize; 2],
        end: usize,
        size: usize,
    ) -> PyResult<Py<PyBytes>> {
        if ks.contains(&0) || size == 0 {
            return Err(PyValueError::new_err("a sketch has k-grams of a token or more"));
        }
        let symbols = &text.get().symbols;
        let found = py.detach(|| kgrams::sketch(symbols, ks, end, size, &self.rules.writing));
        array(py, &found, |hash| hash.to_ne_bytes())
    }

    fn query_kgrams(
        &self,
        py: Python<'_>,
        codes: PyBuffer<u64>,
        classes: PyBuffer<u8>,
        segments: PyBuffer<i64>,
        windows: Vec<(usize, usize, usize)>,
    ) -> PyResult<Vec<Option<PyQueryKGrams>>> {
        let (codes, classes, segments) = (codes.to_vec(py)?, classes.to_vec(py)?, segments.to_vec(py)?);
        let text = text::Text {
            numbers: (0..codes.len() as u32).collect(),
            codes,
            classes,
            segments: segments.into_iter().map(u32::try_from).collect::<Result<_, _>>()?,
            languages: String::new(),
            words: Vec::new(),
        };
        let is_right = text.is_whole() && windows.iter().all(|&(kept, common, _)| kept.min(common) > 0);
        if !is_right || windows.len() != self.rules.schemes.len() {
            return Err(PyValueError::new_err("a token has a class, and a scheme has windows of a k-gram or more"));
        }
        let windows = windows.into_iter().map(|(kept, common, least)| Windows { kept, common, least });
        let schemes: Vec<_> = self.rules.schemes.iter().copied().zip(windows).collect();
        let found = py.detach(|| querying::kgrams(&text, &schemes, &self.rules.writing));
        let made = |own: QueryKGrams| (!own.hashes.is_empty()).then(|| query_kgrams(py, own)).transpose();
        found.into_iter().map(made).collect()
    }
}

/// The fields of `QueryKGrams`: the bounds, and the others as the arrays that they are.
type PyQueryKGrams = (Vec<usize>, [Py<PyBytes>; 6]);

fn query_kgrams(py: Python<'_>, own: QueryKGrams) -> PyResult<PyQueryKGrams> {
    let hashes = |values: &[u64]| array(py, values, |value| value.to_ne_bytes());
    let numbers = |values: &[usize]| array(py, values, |&value| (value as i64).to_ne_bytes());
    let arrays = [
        hashes(&own.hashes)?,
        numbers(&own.positions)?,
        numbers(&own.kept)?,
        hashes(&own.terms)?,
        numbers(&own.numbers)?,
        array(py, &own.is_common, |&is_common| [is_common.into()])?,
    ];
    Ok((own.bounds, arrays))
}

/// How long a comparison does steps before it returns to Python, which can stop it then.
const AT_ONCE: Duration = Duration::from_millis(20);

/// A comparison of submissions. Its methods do one step each, or a few, so that Python can stop it between two calls.
#[pyclass(name = "Comparison")]
struct PyComparison {
    comparison: Comparison,
    kernel: Py<PyKernel>,
    model: Py<PyBackground>,
    load: Py<PyAny>,
}

/// The name, role, author and number of files of a submission.
type PySubmission = (Vec<u8>, u8, u64, usize);

#[pymethods]
impl PyComparison {
    #[new]
    #[pyo3(signature = (kernel, rules, *, tokens, text_of, submissions, sets, weights, model, load))]
    #[expect(clippy::too_many_arguments, reason = "Python gives each by name")]
    fn new(
        py: Python<'_>,
        kernel: Py<PyKernel>,
        rules: &str,
        tokens: PyBuffer<u32>,
        text_of: PyBuffer<u32>,
        submissions: Vec<PySubmission>,
        sets: Vec<Vec<PyBuffer<u64>>>,
        weights: PyBuffer<f64>,
        model: Py<PyBackground>,
        load: Py<PyAny>,
    ) -> PyResult<Self> {
        let submissions =
            submissions.into_iter().map(|(name, role, author, files)| (name, Role::of(role), author, files));
        let sets =
            sets.iter().map(|set| set.iter().map(|hashes| hashes.to_vec(py)).collect()).collect::<PyResult<_>>()?;
        let schemes = &kernel.get().rules.schemes;
        let made =
            Rules::read(rules).zip(Members::read(text_of.to_vec(py)?, submissions)).and_then(|(rules, members)| {
                Comparison::new(rules, members, tokens.to_vec(py).ok()?, sets, schemes, weights.to_vec(py).ok()?)
            });
        let comparison =
            made.ok_or_else(|| PyValueError::new_err("a comparison has all its rules, files and weights"))?;
        Ok(Self { comparison, kernel, model, load })
    }

    fn take(&mut self, py: Python<'_>, scheme: usize, terms: PyBuffer<u64>, texts: PyBuffer<i64>) -> PyResult<()> {
        let (terms, texts) = (terms.to_vec(py)?, texts.to_vec(py)?);
        let is_taken = py.detach(|| {
            let texts: Vec<u32> = texts.into_iter().map(|text| u32::try_from(text).unwrap_or(u32::MAX)).collect();
            self.comparison.take(scheme, &terms, &texts)
        });
        is_taken.then_some(()).ok_or_else(|| PyValueError::new_err("postings name a scheme, and texts that there are"))
    }

    fn choose(&mut self, py: Python<'_>) -> usize {
        py.detach(|| self.comparison.choose())
    }

    fn to_mask(&self) -> Vec<u32> {
        self.comparison.to_mask()
    }

    fn mask(&mut self, py: Python<'_>, text: u32) -> PyResult<()> {
        let contents = contents(&self.kernel, &self.model, &self.load);
        py.detach(|| self.comparison.mask(text, &contents))
    }

    fn steps(&mut self, py: Python<'_>) -> PyResult<usize> {
        let contents = contents(&self.kernel, &self.model, &self.load);
        py.detach(|| {
            let (begin, mut done) = (Instant::now(), 0);
            while self.comparison.step(&contents)? {
                done += 1;
                if begin.elapsed() >= AT_ONCE {
                    break;
                }
            }
            Ok(done)
        })
    }

    fn answer(&mut self, py: Python<'_>, dismissed: HashSet<String>) -> PyResult<String> {
        let contents = contents(&self.kernel, &self.model, &self.load);
        py.detach(|| self.comparison.answer(&contents, |id| dismissed.contains(id)))
    }

    fn matches(&self) -> Vec<PyMatch> {
        let runs = |found: &MatchedFiles| {
            found.runs.iter().map(|each| (each.run.shift, each.run.begin, each.run.end, each.weight)).collect()
        };
        let all = self.comparison.matches().iter();
        all.map(|found| (found.left, found.right, runs(found), found.is_identical)).collect()
    }
}

/// The files of a match; shift, begin, end and weight of its runs; whether the files are identical.
type PyMatch = (u32, u32, Vec<(i64, u32, u32, f64)>, bool);

/// How the kernel reads texts; Python loads them.
fn contents<'a>(
    kernel: &'a Py<PyKernel>,
    model: &'a Py<PyBackground>,
    load: &'a Py<PyAny>,
) -> Contents<'a, impl Fn(usize) -> PyResult<Vec<u8>> + Sync + use<'a>> {
    let rules = &kernel.get().rules;
    let load = |text: usize| {
        Python::attach(|py| {
            let stored = load.call1(py, (text,))?;
            Ok(stored.cast_bound::<PyBytes>(py)?.as_bytes().to_vec())
        })
    };
    Contents { writing: &rules.writing, schemes: &rules.schemes, model: &model.get().0, load }
}

impl From<compare::Damaged> for PyErr {
    fn from(_: compare::Damaged) -> Self {
        PyValueError::new_err("a stored token stream has its parts, and numbers that are in them")
    }
}

/// The sketches of texts that are not nearly identical to each other.
#[pyclass(frozen, name = "Sketches")]
struct PySketches {
    size: usize,
    least: f64,
    kept: Mutex<Vec<Vec<u64>>>,
}

#[pymethods]
impl PySketches {
    #[new]
    fn new(size: usize, least: f64) -> Self {
        Self { size, least, kept: Mutex::default() }
    }

    fn find(&self, py: Python<'_>, sketch: PyBuffer<u64>) -> PyResult<usize> {
        let sketch = sketch.to_vec(py)?;
        let mut kept = self.kept.lock().expect("no thread panics with the lock");
        let near = kept.iter().position(|other| kgrams::are_near(&sketch, other, self.size, self.least));
        Ok(near.unwrap_or_else(|| {
            kept.push(sketch);
            kept.len() - 1
        }))
    }
}

#[pyfunction]
fn heaviest_chain(py: Python<'_>, positions: PyBuffer<i64>, weights: PyBuffer<f64>) -> PyResult<(f64, Py<PyBytes>)> {
    let (positions, weights) = (positions.to_vec(py)?, weights.to_vec(py)?);
    if positions.len() != weights.len() {
        return Err(PyValueError::new_err("each pair has a weight"));
    }
    let (weight, chain) = py.detach(|| chains::heaviest_chain(&positions, &weights));
    Ok((weight, array(py, &chain, |&number| (number as i64).to_ne_bytes())?))
}

fn placed_words(py: Python<'_>, found: &words::Words, numbers: &[u32]) -> PyResult<[Py<PyBytes>; 2]> {
    let (words, tokens) = found.placed(numbers);
    let made = |values: &[u32]| array(py, values, |value| value.to_ne_bytes());
    Ok([made(&words)?, made(&tokens)?])
}

/// The bits of an alignment, what `words::evidence` gives, and the places of its pairs in the query and in the document.
type PyAlignedWords = (i32, usize, i64, Py<PyBytes>, Py<PyBytes>);

#[pyfunction]
fn aligned_words(
    py: Python<'_>,
    query: PyBuffer<u32>,
    bits: PyBuffer<i32>,
    gap: i32,
    most: usize,
    document: PyBuffer<u32>,
) -> PyResult<PyAlignedWords> {
    let (query, bits, document) = (query.to_vec(py)?, bits.to_vec(py)?, document.to_vec(py)?);
    let (best, aligned) = py.detach(|| words::aligned(&query, &bits, gap, most, &document));
    let (pairs, shared) = words::evidence(&query, &bits, &aligned);
    let places = |of: fn(&(u32, u32)) -> u32| array(py, &aligned, |pair| i64::from(of(pair)).to_ne_bytes());
    Ok((best, pairs, shared, places(|pair| pair.0)?, places(|pair| pair.1)?))
}

/// A document, ready to be aligned.
#[pyclass(frozen, name = "Text")]
struct PyText {
    aligned: evidence::Text,
    symbols: text::Text,
}

/// The words of some texts, and which of these may be translations of others.
#[pyclass(frozen, name = "Translations")]
struct PyTranslations {
    worded: Worded,
    kernel: Py<PyKernel>,
}

#[pymethods]
impl PyTranslations {
    #[new]
    #[pyo3(signature = (kernel, *, words, bits, terms, holders, weights, lengths, most, odds))]
    #[expect(clippy::too_many_arguments, reason = "Python gives each by name")]
    fn new(
        py: Python<'_>,
        kernel: Py<PyKernel>,
        words: Vec<PyBuffer<u32>>,
        bits: PyBuffer<i32>,
        terms: PyBuffer<u64>,
        holders: PyBuffer<u32>,
        weights: PyBuffer<f64>,
        lengths: PyBuffer<f64>,
        most: usize,
        odds: (f64, f64, f64),
    ) -> PyResult<Self> {
        let words = words.iter().map(|words| words.to_vec(py)).collect::<PyResult<_>>()?;
        let odds = Odds { pairs: odds.0, share: odds.1, least: odds.2 };
        let (terms, holders) = (terms.to_vec(py)?, holders.to_vec(py)?);
        let (weights, lengths) = (weights.to_vec(py)?, lengths.to_vec(py)?);
        Worded::new(words, bits.to_vec(py)?, terms, holders, weights, lengths, most, odds)
            .map(|worded| Self { worded, kernel })
            .ok_or_else(|| PyValueError::new_err("words have bits, ascending terms have texts, and texts have lengths"))
    }

    fn likely(&self, py: Python<'_>, text: usize, allowed: PyBuffer<u8>) -> PyResult<Vec<(usize, f64)>> {
        let allowed: Vec<bool> = allowed.to_vec(py)?.into_iter().map(|allowed| allowed != 0).collect();
        let rules = &self.kernel.get().rules;
        let words =
            rules.sub_words.as_ref().filter(|_| text < allowed.len() && allowed.len() == self.worded.words.len());
        let words = words.ok_or_else(|| PyValueError::new_err("each text is allowed or not, and has words"))?;
        Ok(py.detach(|| self.worded.likely(text, &allowed, words, &rules.writing)))
    }
}

/// The first token and the number of k-grams of each segment, and the hashes of all.
type PyKGrams = (Vec<(usize, usize)>, Py<PyBytes>);

/// A query, ready to be aligned.
#[pyclass(frozen, name = "Evidence")]
struct PyEvidence(evidence::Query);

/// An alignment: its bits, and of each run its shift, its begin and its end, if these were wanted.
type PyAligned = (i32, Option<Vec<(isize, usize, usize)>>);

#[pymethods]
impl PyEvidence {
    #[new]
    fn new(
        py: Python<'_>,
        codes: PyBuffer<u64>,
        classes: PyBuffer<u8>,
        structure: PyBuffer<i32>,
        words: PyBuffer<i32>,
        renamed: PyBuffer<i32>,
        rules: evidence::Rules,
    ) -> PyResult<Self> {
        let (codes, classes) = (codes.to_vec(py)?, classes.to_vec(py)?);
        let bits =
            evidence::Bits { structure: structure.to_vec(py)?, words: words.to_vec(py)?, renamed: renamed.to_vec(py)? };
        (codes.len() == classes.len())
            .then(|| evidence::Query::new(evidence::Text::new(&codes, &classes), bits, rules))
            .flatten()
            .map(|query| Self(query.seeded()))
            .ok_or_else(|| PyValueError::new_err("a query has all values for each token, and seeds of a token or more"))
    }

    fn aligned(&self, py: Python<'_>, text: &Bound<'_, PyText>, least: i32) -> PyAligned {
        let text = &text.get().aligned;
        let (bits, runs) = py.detach(|| self.0.aligned(text, least));
        let run = |block: evidence::Block| (block.shift, block.begin, block.end);
        (bits, runs.map(|runs| runs.into_iter().map(run).collect()))
    }

    fn most(&self, stored: &[u8]) -> PyResult<i32> {
        Ok(self.0.most(stored::symbol_codes(stored).ok_or_else(no_stream)?))
    }

    fn weighed(&self, text: &Bound<'_, PyText>, runs: Vec<(isize, usize, usize)>) -> i32 {
        self.0.weighed(&text.get().aligned, runs.into_iter())
    }
}

/// The model of code in general.
#[pyclass(frozen, name = "Background")]
struct PyBackground(background::Model);

#[pymethods]
impl PyBackground {
    #[new]
    #[pyo3(signature = (grams, costs, ranks, salts, *, base, letter, most_of_word, contexts, recent))]
    #[expect(clippy::too_many_arguments, reason = "Python gives each number by name")]
    fn new(
        py: Python<'_>,
        grams: PyBuffer<u8>,
        costs: PyBuffer<u8>,
        ranks: [Vec<f64>; 2],
        salts: HashMap<Vec<u8>, u64>,
        base: u64,
        letter: f64,
        most_of_word: f64,
        contexts: Vec<usize>,
        recent: u32,
    ) -> PyResult<Self> {
        let rules = background::Rules { base, letter, most_of_word, contexts, recent };
        let costs = costs.to_vec(py)?;
        let grams = cells(py, &grams).map(|rows| background::unpacked(rows, costs.len()));
        let made = grams.and_then(|grams| background::Model::new(rules, grams, costs, ranks, salts));
        made.map(Self).ok_or_else(|| PyValueError::new_err("a model has ascending n-grams, and a cost for each"))
    }

    fn bits(
        &self,
        py: Python<'_>,
        codes: PyBuffer<u64>,
        classes: PyBuffer<u8>,
        salts: PyBuffer<u64>,
        quiet: PyBuffer<u8>,
    ) -> PyResult<[Py<PyBytes>; 3]> {
        let (codes, classes, salts) = (codes.to_vec(py)?, classes.to_vec(py)?, salts.to_vec(py)?);
        let quiet: Vec<bool> = quiet.to_vec(py)?.into_iter().map(|quiet| quiet != 0).collect();
        if [classes.len(), salts.len(), quiet.len()] != [codes.len(); 3] {
            return Err(PyValueError::new_err("each token has a class and a language, and is quiet or not"));
        }
        let bits = py.detach(|| self.0.bits(&codes, &classes, &salts, &quiet, None));
        let made = |values: &[i32]| array(py, values, |value| value.to_ne_bytes());
        Ok([made(&bits.structure)?, made(&bits.words)?, made(&bits.renamed)?])
    }
}

/// A run of the embedded engine.
#[pyclass(frozen, name = "Run")]
struct PyRun {
    layout: Layout,
    file: PyBuffer<u8>,
    checked: PyBuffer<u8>,
    /// The memory of `summed`: a 0 for each document, or empty while a call uses it.
    sums: Mutex<Vec<f64>>,
}

#[pymethods]
impl PyRun {
    #[new]
    #[pyo3(signature = (file, checked, *, block, table, kept, checks, table_bytes, is_wide, first_buckets, term_bits, bucket_bits, rest_bits, document_bits, documents))]
    #[expect(clippy::too_many_arguments, reason = "they describe a file, and Python gives each by name")]
    fn new(
        file: PyBuffer<u8>,
        checked: PyBuffer<u8>,
        block: usize,
        table: usize,
        kept: usize,
        checks: usize,
        table_bytes: usize,
        is_wide: bool,
        first_buckets: Vec<Option<u64>>,
        term_bits: u32,
        bucket_bits: u32,
        rest_bits: u32,
        document_bits: u32,
        documents: usize,
    ) -> PyResult<Self> {
        if block == 0 || bucket_bits > term_bits || term_bits > 64 || rest_bits > 64 || document_bits > 32 {
            return Err(PyValueError::new_err("a run has terms and documents of so many bits as they can have"));
        }
        let layout = Layout {
            block,
            table,
            kept,
            checks,
            table_bytes,
            is_wide,
            first_buckets,
            term_bits,
            bucket_bits,
            rest_bits,
            document_bits,
            documents,
        };
        Ok(Self { layout, file, checked, sums: Mutex::default() })
    }

    fn bounds(
        &self,
        py: Python<'_>,
        representations: PyBuffer<i64>,
        terms: PyBuffer<u64>,
    ) -> PyResult<(Py<PyBytes>, Py<PyBytes>)> {
        let reader = self.reader(py)?;
        let asked = representations.to_vec(py)?.into_iter().zip(terms.to_vec(py)?);
        let found = asked
            .map(|(representation, term)| reader.postings(representation as usize, term))
            .collect::<Result<Vec<_>, _>>()?;
        Ok((
            array(py, &found, |range| (range.start as i64).to_ne_bytes())?,
            array(py, &found, |range| (range.end as i64).to_ne_bytes())?,
        ))
    }

    fn summed(
        &self,
        py: Python<'_>,
        first: PyBuffer<i64>,
        end: PyBuffer<i64>,
        weights: PyBuffer<f64>,
    ) -> PyResult<(Py<PyBytes>, Py<PyBytes>)> {
        let bounds = first.to_vec(py)?.into_iter().zip(end.to_vec(py)?);
        let ranges: Vec<_> = bounds.map(|(first, end)| first as u64..end as u64).zip(weights.to_vec(py)?).collect();
        let mut sums = self.sums.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
        sums.resize(self.layout.documents, 0.0);
        let held = self.reader(py)?.sum(&ranges, &mut sums)?;
        let made = (
            array(py, &held, |&document| i64::from(document).to_ne_bytes())?,
            array(py, &held, |&document| sums[document as usize].to_ne_bytes())?,
        );
        for document in held {
            sums[document as usize] = 0.0;
        }
        if let Ok(mut kept) = self.sums.lock() {
            *kept = sums;
        }
        Ok(made)
    }
}

impl PyRun {
    fn reader<'a>(&'a self, py: Python<'a>) -> PyResult<Reader<'a>> {
        match (cells(py, &self.file), cells(py, &self.checked)) {
            (Some(file), Some(checked)) if !self.checked.readonly() => {
                Ok(Reader { layout: &self.layout, file, checked })
            }
            _ => Err(PyValueError::new_err("a run is one stretch of bytes, and what was checked can be noted")),
        }
    }
}

/// The bytes of a buffer, for as long as the caller has the GIL; None if they are not contiguous.
fn cells<'a>(_py: Python<'a>, buffer: &'a PyBuffer<u8>) -> Option<&'a [Cell<u8>]> {
    let bytes = buffer.as_slice_ptr()?;
    // SAFETY: the buffer lives as long as its object. A cell has the layout of its value. Others may change it, but
    // none of them runs before the caller releases the GIL.
    Some(unsafe { &*(bytes.as_ptr() as *const [Cell<u8>]) })
}

impl From<Damaged> for PyErr {
    fn from(_: Damaged) -> Self {
        PyValueError::new_err("does not match its checksum")
    }
}

#[pyfunction]
#[pyo3(signature = (codes, tables, symbol_numbers, symbol_of, gap_of, *, gaps, place, count))]
#[expect(clippy::too_many_arguments, reason = "five of them are the columns of what is stored")]
fn joined_stream<'py>(
    py: Python<'py>,
    codes: &[u8],
    tables: &[u8],
    symbol_numbers: &[u8],
    symbol_of: &[u8],
    gap_of: &[u8],
    gaps: usize,
    place: usize,
    count: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let joined = Joined { codes, gaps, tables, symbol_numbers, symbol_of, gap_of };
    match joined.stream(place, count) {
        Some(stream) => Ok(PyBytes::new(py, &stream)),
        None => Err(PyValueError::new_err("joined streams have their parts, and numbers that are in them")),
    }
}

/// The codes, the number of gaps, and the other columns of joined streams.
type PyColumns<'py> = (Bound<'py, PyBytes>, usize, [Bound<'py, PyBytes>; 4]);

#[pyfunction]
fn join_streams<'py>(py: Python<'py>, streams: Vec<Bound<'py, PyBytes>>) -> Option<PyColumns<'py>> {
    let streams: Vec<&[u8]> = streams.iter().map(|stream| stream.as_bytes()).collect();
    let columns = py.detach(|| joined::join(&streams))?;
    let others = [&columns.tables, &columns.symbol_numbers, &columns.symbol_of, &columns.gap_of];
    Some((PyBytes::new(py, &columns.codes), columns.gaps, others.map(|column| PyBytes::new(py, column))))
}

impl PyKernel {
    fn kind(&self, representation: &str, k: usize) -> PyResult<Representation> {
        let kind = Representation::of(representation).filter(|_| (1..=self.rules.writing.distances.len()).contains(&k));
        kind.ok_or_else(|| PyValueError::new_err("a representation has k-grams of 1 to 64 tokens"))
    }

    /// Asks Python for the codes of the characters of a page.
    fn load(&self, number: usize) -> PyResult<Page> {
        Python::attach(|py| self.page_of(py, number))
    }

    fn page_of(&self, py: Python<'_>, number: usize) -> PyResult<Page> {
        let codes = self.page.call1(py, (number,))?;
        let codes: &[u8] = codes.extract(py)?;
        if codes.len() != PAGE * 8 {
            return Err(PyValueError::new_err(format!("a page has {PAGE} codes")));
        }
        let mut page = Box::new([0; PAGE]);
        for (code, bytes) in page.iter_mut().zip(codes.chunks_exact(8)) {
            *code = word(bytes);
        }
        Ok(page)
    }
}

fn scheme((name, k, inner, w, bits): &(String, usize, usize, usize, u32), distances: usize) -> PyResult<Scheme> {
    if *w < 1 || !(1..=*k).contains(inner) || !(1..=64).contains(bits) {
        return Err(PyValueError::new_err("a scheme has s, w and bits in range"));
    }
    Ok(Scheme { representation: representation(name, *k, distances)?, k: *k, inner: *inner, w: *w, bits: *bits })
}

/// Returns the representation with a name, or an error if it cannot have k-grams of `k` tokens.
fn representation(name: &str, k: usize, distances: usize) -> PyResult<Representation> {
    let Some(found) = Representation::of(name) else {
        return Err(PyValueError::new_err(format!("{name} is not a representation")));
    };
    let has_distances = matches!(found, Representation::Renamed | Representation::PMatch);
    if k < 1 || (has_distances && k > distances) {
        return Err(PyValueError::new_err(format!("k is out of range: {k}")));
    }
    Ok(found)
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Late => PyTimeoutError::new_err("the parse takes longer than it was given"),
            Failure::NotLoaded => PyValueError::new_err("the parser's core cannot read this version of grammars"),
            Failure::TooLarge => PyValueError::new_err("a source is shorter than 4 GB"),
        }
    }
}

fn read<'a>(py: Python<'_>, content: &'a [u8], part: &'a PyPart<'_>) -> PyResult<Part<'a>> {
    let (grammar, text, opening, place, has_doc_strings, is_prose) = part;
    let text = text.as_ref().map_or(content, |text| text.as_bytes());
    let Some(own) = text.len().checked_sub(*opening) else {
        return Err(PyValueError::new_err("an opening is a part of the text"));
    };
    let place = match place {
        None => None,
        Some((offsets, stops)) => {
            let place = (offsets.to_vec(py)?, stops.to_vec(py)?);
            if place.0.len() < own || place.1.len() < own {
                return Err(PyValueError::new_err("each byte of a part has its place in the content"));
            }
            Some(place)
        }
    };
    if place.is_none() && own > content.len() {
        return Err(PyValueError::new_err("a part without a place is a part of the content"));
    }
    Ok(Part {
        grammar: grammar.as_ref().map(|grammar| &grammar.get().grammar),
        text,
        opening: *opening,
        place,
        speech: Speech { has_doc_strings: *has_doc_strings, is_prose: *is_prose },
    })
}

#[pymodule]
mod _kernel {
    #[pymodule_export]
    use super::{
        PyBackground, PyComparison, PyDocument, PyEvidence, PyGrammar, PyKernel, PyRun, PySketches, PyText, PyTokens,
        PyTranslations, aligned_words, heaviest_chain, join_streams, joined_stream,
    };

    /// The version of the parser's core.
    #[pymodule_export]
    const CORE_VERSION: &str = env!("CORE_VERSION");

    /// The checksum of the `_kernel.pyi` that the extension was built for.
    #[pymodule_export]
    const INTERFACE: &str = env!("INTERFACE");
}
