//! Comparisons for a page. `kernel/web/comparison.js` calls these functions in the order in which they are here, and only
//! for one comparison at a time.

use super::messages::Reader;
use super::{Refusal, answer};
use crate::background::{self, Model};
use crate::compare::{ByScheme, Comparison, Contents, Damaged, Members, Role, Rules, Template, weights};
use crate::kgrams::Scheme;
use crate::stored;

/// Postings are sorted in parts of about this many.
const AT_ONCE: usize = 1 << 22;

/// What a page gives to be compared, and the comparison once it began.
#[derive(Default)]
pub struct Comparing {
    /// The stored stream, the number of tokens and the terms (by scheme) of each text.
    streams: Vec<Vec<u8>>,
    tokens: Vec<u32>,
    terms: Vec<ByScheme>,
    template: Template,
    text_of: Vec<u32>,
    /// The name, role, author and number of files of each submission.
    submissions: Vec<(Vec<u8>, Option<Role>, u64, usize)>,
    model: Option<Model>,
    comparison: Option<Comparison>,
}

impl From<Damaged> for Refusal {
    fn from(_: Damaged) -> Self {
        Self::Malformed
    }
}

/// Begins a comparison, and forgets the one before. The request has the model of code in general: the differences between
/// neighboring n-grams, of 2 bytes each; their costs; the bits by rank of a name and of a literal (wide); a list of
/// languages, each with its part of a hash (wide); the bits of a letter and the most of a word (wide); the lengths of
/// contexts; and `Rules::recent`.
#[unsafe(no_mangle)]
extern "C" fn comparison_begin() -> i32 {
    answer(|kept, request, _| {
        let base = kept.given.as_ref().ok_or(Refusal::Malformed)?.rules.writing.base;
        let model = Some(model(base, request).ok_or(Refusal::Malformed)?);
        kept.comparing = Comparing { model, ..Comparing::default() };
        Ok(())
    })
}

fn model(base: u64, request: &mut Reader) -> Option<Model> {
    let sum = |last: &mut u32, step: &[u8]| {
        *last += u32::from(u16::from_le_bytes([step[0], step[1]]));
        Some(*last)
    };
    let grams = request.bytes()?.chunks_exact(2).scan(0, sum).collect();
    let costs = request.bytes()?.to_vec();
    let floats = |values: Vec<u64>| values.into_iter().map(f64::from_bits).collect();
    let ranks = [floats(request.wides()?), floats(request.wides()?)];
    let salts = request.list(|request| Some((request.bytes()?.to_vec(), request.wide()?)))?;
    let [letter, most_of_word] = [request.wide()?, request.wide()?].map(f64::from_bits);
    let contexts = request.numbers()?.into_iter().map(|length| length as usize).collect();
    let rules = background::Rules { base, letter, most_of_word, contexts, recent: request.number()? };
    Model::new(rules, grams, costs, ranks, salts.into_iter().collect())
}

/// Adds a text: its stored stream, and for each scheme optionally its terms (wide). The answer is its number, from 0.
#[unsafe(no_mangle)]
extern "C" fn comparison_text() -> i32 {
    answer(|kept, request, answer| {
        let given = kept.given.as_ref().ok_or(Refusal::Malformed)?;
        let comparing = &mut kept.comparing;
        let stream = request.bytes().ok_or(Refusal::Malformed)?;
        let tokens = stored::opened(stream).ok_or(Damaged)?.numbers.len();
        let mut terms = Vec::new();
        for _ in &given.rules.schemes {
            let own = request.option(Reader::wides).ok_or(Refusal::Malformed)?.unwrap_or_default();
            terms.push(own.is_sorted().then_some(own).ok_or(Refusal::Malformed)?);
        }
        answer.number(comparing.streams.len());
        comparing.streams.push(stream.to_vec());
        comparing.tokens.push(tokens as u32);
        comparing.terms.push(terms);
        Ok(())
    })
}

/// Adds template code: its stored stream. The answer is the number of k-grams of all template code.
#[unsafe(no_mangle)]
extern "C" fn comparison_template() -> i32 {
    answer(|kept, request, answer| {
        let rules = &kept.given.as_ref().ok_or(Refusal::Malformed)?.rules;
        let text = stored::opened(request.bytes().ok_or(Refusal::Malformed)?).ok_or(Damaged)?;
        kept.comparing.template.add(&text, &rules.schemes, &rules.writing);
        answer.number(kept.comparing.template.len());
        Ok(())
    })
}

/// Adds a submission: its name, the number of its role, the number of its author (wide), and the texts of its files.
#[unsafe(no_mangle)]
extern "C" fn comparison_submission() -> i32 {
    answer(|kept, request, _| {
        let mut read = || Some((request.bytes()?, request.number()?, request.wide()?, request.numbers()?));
        let (name, role, author, texts) = read().ok_or(Refusal::Malformed)?;
        let role = u8::try_from(role).ok().and_then(Role::of);
        kept.comparing.submissions.push((name.to_vec(), role, author, texts.len()));
        kept.comparing.text_of.extend(texts);
        Ok(())
    })
}

/// Chooses the pairs of files to compare. The request has the rules as text (`compare::Rules`). The answer has the number
/// of pairs, and a list of the texts to mask.
#[unsafe(no_mangle)]
extern "C" fn comparison_choose() -> i32 {
    answer(|kept, request, answer| {
        let schemes = &kept.given.as_ref().ok_or(Refusal::Malformed)?.rules.schemes;
        let rules = request.bytes().and_then(|rules| std::str::from_utf8(rules).ok()).and_then(Rules::read);
        let mut comparison = kept.comparing.made(rules, schemes).ok_or(Refusal::Malformed)?;
        answer.number(comparison.choose());
        answer.numbers(&comparison.to_mask());
        kept.comparing.comparison = Some(comparison);
        Ok(())
    })
}

/// Finds the tokens of a text, given by its number, that do not count.
#[unsafe(no_mangle)]
extern "C" fn comparison_mask() -> i32 {
    answer(|kept, request, _| {
        let text = request.number().ok_or(Refusal::Malformed)?;
        kept.compare(|comparison, contents| comparison.mask(text, contents))
    })
}

/// Does the next step of comparing. The answer is a flag: whether there was one.
#[unsafe(no_mangle)]
extern "C" fn comparison_step() -> i32 {
    answer(|kept, _, answer| {
        answer.flag(kept.compare(|comparison, contents| comparison.step(contents))?);
        Ok(())
    })
}

/// Ends the comparison. The answer is JSON (`compare/answer.rs`).
#[unsafe(no_mangle)]
extern "C" fn comparison_answer() -> i32 {
    answer(|kept, _, answer| {
        let made = kept.compare(|comparison, contents| comparison.answer(contents, |_| false))?;
        kept.comparing = Comparing::default();
        answer.bytes(made.as_bytes());
        Ok(())
    })
}

impl super::Kept {
    /// Calls `step` with the comparison that was begun, and with the contents that it reads.
    fn compare<Made>(
        &mut self,
        step: impl FnOnce(&mut Comparison, &Contents<&dyn Fn(usize) -> Result<Vec<u8>, Refusal>>) -> Result<Made, Refusal>,
    ) -> Result<Made, Refusal> {
        let Comparing { streams, model, comparison, .. } = &mut self.comparing;
        let load = |text: usize| streams.get(text).cloned().ok_or(Refusal::Malformed);
        let rules = &self.given.as_ref().ok_or(Refusal::Malformed)?.rules;
        let comparison = comparison.as_mut().ok_or(Refusal::Malformed)?;
        let model = model.as_ref().ok_or(Refusal::Malformed)?;
        step(comparison, &Contents { writing: &rules.writing, schemes: &rules.schemes, model, load: &load })
    }
}

impl Comparing {
    /// The comparison of what was given, with all postings. Their terms are not kept.
    fn made(&mut self, rules: Option<Rules>, schemes: &[Scheme]) -> Option<Comparison> {
        let members = Members::read(std::mem::take(&mut self.text_of), std::mem::take(&mut self.submissions))?;
        let template = std::mem::take(&mut self.template);
        let sets = if template.len() > 0 { vec![template.into_set()] } else { Vec::new() };
        let weights = weights(members.units());
        let mut comparison =
            Comparison::new(rules?, members, std::mem::take(&mut self.tokens), sets, schemes, weights)?;
        let all = std::mem::take(&mut self.terms);
        for scheme in 0..schemes.len() {
            let count: usize = all.iter().map(|own| own[scheme].len()).sum();
            let parts = (count / AT_ONCE + 1) as u64;
            let last = all.iter().filter_map(|own| own[scheme].last()).max().copied().unwrap_or(0);
            let mut begins = vec![0; all.len()];
            for part in 1..=parts {
                let end = if part < parts { last / parts * part } else { u64::MAX };
                let mut postings: Vec<(u64, u32)> = Vec::new();
                for ((text, own), begin) in (0..).zip(&all).zip(&mut begins) {
                    let terms = &own[scheme][*begin..];
                    let inside = terms.partition_point(|&term| term < end);
                    postings.extend(terms[..inside].iter().map(|&term| (term, text)));
                    *begin += inside;
                }
                postings.sort_unstable();
                let (terms, texts): (Vec<u64>, Vec<u32>) = postings.into_iter().unzip();
                comparison.take(scheme, &terms, &texts).then_some(())?;
            }
        }
        Some(comparison)
    }
}
