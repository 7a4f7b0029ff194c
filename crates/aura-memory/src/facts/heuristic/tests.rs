use super::clause::sentence;
use super::token::Tokens;

#[test]
fn show() {
    let text = std::env::var("SHOW").unwrap_or_default();
    let tokens = Tokens::of(&text);
    let mut start = 0;
    while start < tokens.len() {
        let end = (start..tokens.len())
            .find(|i| tokens.at(*i).ends_sentence())
            .unwrap_or(tokens.len());
        for i in start..end {
            print!("{}:{} ", i, tokens.fold(i));
        }
        println!();
        for clause in sentence::clauses(
            &tokens,
            start,
            end,
            tokens.kind(end) == super::token::Kind::Question,
        ) {
            println!("{clause:?}");
        }
        start = end + 1;
    }
}
