//! Makes the table of related words.
//!
//! `cargo run --release -p aura-retrieval --example related_words -- VECTORS OUT`, where VECTORS is a text file of word
//! vectors, the most frequent word first: a word and its numbers on each line, as GloVe's `glove.6B.100d.txt` has them.
//! The shipped table was made from those (public domain, PDDL 1.0).

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};

use aura_text::{Analyzer, Scratch};

type Failure = Box<dyn std::error::Error>;

/// Words that are read.
const WORDS: usize = 40_000;

/// Stems that are kept, the most frequent first.
const STEMS: usize = 20_000;

/// Neighbours of each stem.
const NEIGHBOURS: usize = 16;

/// The least cosine of a neighbour.
const LEAST_COSINE: f32 = 0.45;

/// Directions that all vectors share, and that say nothing of their meaning (Mu and Viswanath, "All-but-the-top", 2018).
const COMMON_DIRECTIONS: usize = 2;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: related_words VECTORS OUT".into());
    };
    let (words, mut vectors) = read(&input)?;
    take_out_common_directions(&mut vectors);
    let (stems, vectors) = join_by_stem(&words, &vectors);
    let neighbours = nearest(&vectors);
    let bytes = encode(&stems, &neighbours)?;
    eprintln!("{} stems, {} bytes", stems.len(), bytes.len());
    std::fs::write(output, bytes)?;
    Ok(())
}

fn read(path: &str) -> Result<(Vec<String>, Vec<Vec<f32>>), Failure> {
    let (mut words, mut vectors) = (Vec::new(), Vec::new());
    for line in BufReader::new(File::open(path)?).lines().take(WORDS) {
        let line = line?;
        let mut fields = line.split(' ');
        words.push(fields.next().unwrap_or_default().to_owned());
        let vector: Result<Vec<f32>, _> = fields.map(str::parse).collect();
        let mut vector = vector?;
        normalize(&mut vector);
        vectors.push(vector);
    }
    Ok((words, vectors))
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f32], vector: &[f32], factor: f32) {
    for (sum, number) in sum.iter_mut().zip(vector) {
        *sum += factor * number;
    }
}

fn normalize(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|number| *number /= length);
}

/// Subtracts the mean and the first principal directions, found by power iteration.
fn take_out_common_directions(vectors: &mut [Vec<f32>]) {
    let dimension = vectors.first().map_or(0, Vec::len);
    let mut mean = vec![0.0; dimension];
    for vector in &*vectors {
        add(&mut mean, vector, 1.0 / vectors.len() as f32);
    }
    for vector in &mut *vectors {
        add(vector, &mean, -1.0);
    }
    for round in 0..COMMON_DIRECTIONS {
        let mut direction: Vec<f32> = (0..dimension).map(|n| ((n + round) as f32).sin()).collect();
        for _ in 0..60 {
            normalize(&mut direction);
            let mut next = vec![0.0; dimension];
            for vector in &*vectors {
                add(&mut next, vector, dot(vector, &direction));
            }
            direction = next;
        }
        normalize(&mut direction);
        for vector in &mut *vectors {
            let along = dot(vector, &direction);
            add(vector, &direction, -along);
        }
    }
}

/// Words of one stem become one vector; frequent ones count more. Stop words, numbers and compounds are left out.
fn join_by_stem(words: &[String], vectors: &[Vec<f32>]) -> (Vec<String>, Vec<Vec<f32>>) {
    let analyzer = Analyzer::english();
    let mut scratch = Scratch::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let (mut stems, mut sums): (Vec<String>, Vec<Vec<f32>>) = (Vec::new(), Vec::new());
    for (rank, (word, vector)) in words.iter().zip(vectors).enumerate() {
        if word.len() < 2 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        let mut terms = Vec::new();
        analyzer.for_each_term(word, &mut scratch, |term| {
            terms.push((term.text.to_owned(), term.stop));
        });
        let [(stem, false)] = terms.as_slice() else {
            continue;
        };
        let place = *places.entry(stem.clone()).or_insert_with(|| {
            stems.push(stem.clone());
            sums.push(vec![0.0; vector.len()]);
            stems.len() - 1
        });
        if let Some(sum) = sums.get_mut(place) {
            add(sum, vector, 1.0 / (50.0 + rank as f32).sqrt());
        }
    }
    stems.truncate(STEMS);
    sums.truncate(STEMS);
    sums.iter_mut().for_each(|sum| normalize(sum));
    (stems, sums)
}

/// The nearest of each, with their cosines, the nearest first.
fn nearest(vectors: &[Vec<f32>]) -> Vec<Vec<(usize, f32)>> {
    let one = |(at, vector): (usize, &Vec<f32>)| {
        let others = vectors.iter().enumerate().filter(|(other, _)| *other != at);
        let cosines = others.map(|(other, their)| (other, dot(vector, their)));
        let mut near: Vec<(usize, f32)> = cosines
            .filter(|(_, cosine)| *cosine >= LEAST_COSINE)
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(NEIGHBOURS);
        near
    };
    vectors.iter().enumerate().map(one).collect()
}

/// The layout is described in `ranking/related.rs`.
fn encode(stems: &[String], neighbours: &[Vec<(usize, f32)>]) -> Result<Vec<u8>, Failure> {
    let mut order: Vec<usize> = (0..stems.len()).collect();
    order.sort_by_key(|&at| stems.get(at));
    let mut numbers = vec![0_u16; stems.len()];
    for (number, &at) in (0..).zip(&order) {
        if let Some(place) = numbers.get_mut(at) {
            *place = number;
        }
    }
    let (mut texts, mut entries) = (Vec::new(), Vec::new());
    let (mut text_ends, mut entry_ends) = (Vec::new(), Vec::new());
    let mut count = 0_u32;
    for &at in &order {
        texts.extend_from_slice(stems.get(at).map_or(&[][..], |stem| stem.as_bytes()));
        text_ends.push(u32::try_from(texts.len())?);
        for &(other, cosine) in neighbours.get(at).into_iter().flatten() {
            entries.extend_from_slice(&numbers.get(other).copied().unwrap_or(0).to_le_bytes());
            entries.push((cosine * 255.0).round().min(255.0) as u8);
            count += 1;
        }
        entry_ends.push(count);
    }
    let mut bytes = u32::try_from(stems.len())?.to_le_bytes().to_vec();
    for end in text_ends.iter().chain(&entry_ends) {
        bytes.extend_from_slice(&end.to_le_bytes());
    }
    bytes.extend_from_slice(&texts);
    bytes.extend_from_slice(&entries);
    Ok(bytes)
}
