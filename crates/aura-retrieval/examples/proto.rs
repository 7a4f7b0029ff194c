#![allow(missing_docs)]
use aura_retrieval::lexical::proto::Proto;
use std::time::Instant;
fn main() {
    let only = std::env::args().nth(1);
    let reps = std::env::args().nth(2).map_or(15, |n| n.parse().unwrap());
    for n in [1000usize, 10_000, 100_000] {
        if only.as_ref().is_some_and(|o| o.parse::<usize>().unwrap() != n && o != "0") { continue; }
        let mut corpus = aura_testkit::zipf::ZipfCorpus::new(42);
        let turns = corpus.turns(n, 60);
        let qs = corpus.questions(200, 8);
        let mut ix = Proto::default();
        let t = Instant::now();
        for t in &turns { ix.add(t); }
        print!("n {n}: add {:.2} us/turn;", t.elapsed().as_secs_f64() * 1e6 / n as f64);
        let fl: Vec<f32> = qs.iter().map(|q| ix.search(q, 20, false, 0.0).0.last().map_or(0.0, |r| r.0)).collect(); let oracle = std::env::var("ORACLE").is_ok();
        let mut stats = [[0u64; 8]; 2];
        let mut best = vec![[f64::MAX; 2]; qs.len()];
        for _ in 0..reps {
            for (i, q) in qs.iter().enumerate() { for p in (if std::env::args().nth(3).is_some() { 1 } else { 0 })..2 {
                let t = Instant::now(); let (_, w) = ix.search(q, 20, p == 1, if oracle { fl[i] } else { 0.0 }); let t = t.elapsed().as_secs_f64() * 1e6;
                best[i][p] = best[i][p].min(t);
                for (s, w) in stats[p].iter_mut().zip(w) { *s += w; }
            } }
        }
        for p in (if std::env::args().nth(3).is_some() { 1 } else { 0 })..2 {
            let mut t: Vec<f64> = best.iter().map(|b| b[p]).collect();
            t.sort_by(f64::total_cmp);
            print!(" {} {:.1} (median {:.1}, p90 {:.1})", ["full", "pruned"][p], t.iter().sum::<f64>() / t.len() as f64, t[t.len() / 2], t[t.len() * 9 / 10]);
        }
        println!("\n  {:?}", stats[1].map(|s| s / reps as u64 / 200));
        for q in &qs { assert_eq!(ix.search(q, 20, false, 0.0).0, ix.search(q, 20, true, 0.0).0); }
    }
}
