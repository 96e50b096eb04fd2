//! The submissions of a comparison and their files, as `Members` in `wherefrom/compare/collection.py` describes them.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Submission,
    Archive,
    With,
}

impl Role {
    /// The role with a number, in the order of `results.Role`.
    pub fn of(number: u8) -> Option<Self> {
        [Self::Submission, Self::Archive, Self::With].get(usize::from(number)).copied()
    }
}

pub struct Submission {
    /// Its name as UTF-8; of other bytes, those that Python gives.
    pub name: Vec<u8>,
    pub role: Role,
    /// A number that submissions of one author share.
    pub author: u64,
    pub files: Range<usize>,
}

pub struct Members {
    /// For each file, by submission, the number of its text.
    pub text_of: Vec<u32>,
    pub submission_of: Vec<u32>,
    pub submissions: Vec<Submission>,
    /// Whether there is a second corpus. Then only pairs across both corpora are compared.
    pub has_two_sides: bool,
    /// Whether all pairs of different files are sure to be compared, so that `may_meet` is not needed.
    pub all_meet: bool,
    /// The files of text number n are `files[begins[n]..begins[n + 1]]`, ascending.
    begins: Vec<u32>,
    files: Vec<u32>,
}

impl Members {
    /// Makes the members of the text of each file, and of name, role, author and number of files of each submission.
    /// Returns None if a role is missing, or the submissions do not have as many files as there are.
    pub fn read(
        text_of: Vec<u32>,
        given: impl IntoIterator<Item = (Vec<u8>, Option<Role>, u64, usize)>,
    ) -> Option<Self> {
        let (mut submissions, mut submission_of) = (Vec::new(), Vec::with_capacity(text_of.len()));
        for (name, role, author, files) in given {
            let begin = submission_of.len();
            let end = begin.checked_add(files).filter(|&end| end <= text_of.len())?;
            submission_of.resize(end, submissions.len() as u32);
            submissions.push(Submission { name, role: role?, author, files: begin..end });
        }
        if submission_of.len() != text_of.len() {
            return None;
        }
        let texts = text_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut begins = vec![0; texts + 1];
        for &text in &text_of {
            begins[text as usize + 1] += 1;
        }
        for text in 0..texts {
            begins[text + 1] += begins[text];
        }
        let (mut next, mut files) = (begins.clone(), vec![0; text_of.len()]);
        for (file, &text) in (0..).zip(&text_of) {
            let place: &mut u32 = &mut next[text as usize];
            files[*place as usize] = file;
            *place += 1;
        }
        let has_two_sides = submissions.iter().any(|submission| submission.role == Role::With);
        let mut authors: Vec<u64> = submissions.iter().map(|submission| submission.author).collect();
        authors.sort_unstable();
        let all_meet = authors.is_sorted_by(|one, other| one < other)
            && submissions.iter().all(|own| own.role == Role::Submission && own.files.len() <= 1);
        Some(Self { text_of, submission_of, submissions, has_two_sides, all_meet, begins, files })
    }

    /// The files of a text, ascending.
    pub fn files_of(&self, text: u32) -> &[u32] {
        match self.begins.get(text as usize..text as usize + 2) {
            Some(&[begin, end]) => &self.files[begin as usize..end as usize],
            _ => &[],
        }
    }

    /// The unit of a file. The frequency of a term is the number of units that have it. A unit is a submission, or with
    /// a second corpus a single file, since a corpus may be a single submission.
    pub fn unit(&self, file: u32) -> u32 {
        if self.has_two_sides { file } else { self.submission_of[file as usize] }
    }

    /// The number of units.
    pub fn units(&self) -> usize {
        if self.has_two_sides { self.text_of.len() } else { self.submissions.len() }
    }

    /// Whether two files are compared with each other.
    pub fn may_meet(&self, left: u32, right: u32) -> bool {
        let [left, right] = [left, right].map(|file| self.submission_of[file as usize] as usize);
        let [one, other] = [left, right].map(|number| &self.submissions[number]);
        let is_allowed = if self.has_two_sides {
            (one.role == Role::With) != (other.role == Role::With)
        } else {
            one.role != Role::Archive || other.role != Role::Archive
        };
        is_allowed && one.author != other.author && left != right
    }

    /// The number of compared pairs of submissions, and of pairs left out because both have the same author.
    pub fn possible_pairs(&self) -> (u64, u64) {
        let pairs =
            |own: u64, fixed: u64| own * fixed + if self.has_two_sides { 0 } else { own * own.saturating_sub(1) / 2 };
        let mut of_authors: Vec<(u64, bool)> =
            self.submissions.iter().map(|each| (each.author, each.role == Role::Submission)).collect();
        of_authors.sort_unstable();
        let count = |group: &[(u64, bool)]| {
            let own = group.iter().filter(|(_, is_own)| *is_own).count();
            pairs(own as u64, (group.len() - own) as u64)
        };
        let shared: u64 = of_authors.chunk_by(|(one, _), (other, _)| one == other).map(count).sum();
        (count(&of_authors) - shared, shared)
    }
}
