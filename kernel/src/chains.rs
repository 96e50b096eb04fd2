//! The heaviest chain of shared k-grams, as `heaviest_chain` in `wherefrom/queries/alignment/chains.py` defines it.

/// The heaviest chain that ends at a position of the query. Steps are ordered by position, and their weights rise too.
struct Step {
    end: i64,
    sum: f64,
    last: usize,
}

const NONE: usize = usize::MAX;

/// The heaviest chain of pairs whose positions rise in both texts: its weight, and the indices of its pairs. The pairs
/// are given by ascending position in the document, then by descending position in the query.
pub fn heaviest_chain(positions: &[i64], weights: &[f64]) -> (f64, Vec<usize>) {
    let mut steps: Vec<Step> = Vec::new();
    let mut before = Vec::with_capacity(positions.len());
    for (last, (&end, &weight)) in positions.iter().zip(weights).enumerate() {
        let at = steps.partition_point(|step| step.end < end);
        let lower = at.checked_sub(1).map(|at| &steps[at]);
        let sum = weight + lower.map_or(0.0, |step| step.sum);
        before.push(lower.map_or(NONE, |step| step.last));
        if steps.get(at).is_some_and(|step| step.end == end && step.sum >= sum) {
            continue;
        }
        let worse = steps[at..].iter().take_while(|step| step.sum <= sum).count();
        let step = Step { end, sum, last };
        if worse == 0 {
            steps.insert(at, step);
        } else {
            steps[at] = step;
            steps.drain(at + 1..at + worse);
        }
    }
    let Some(highest) = steps.last() else { return (0.0, Vec::new()) };
    let mut chain = Vec::new();
    let mut at = highest.last;
    while at != NONE {
        chain.push(at);
        at = before[at];
    }
    chain.reverse();
    (highest.sum, chain)
}
