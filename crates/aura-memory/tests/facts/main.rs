//! Facts from what users say: corrections, look-alikes, properties.

mod corrections;
mod talk;

#[test]
fn show() {
    let mut talk = talk::Talk::default();
    for text in std::env::var("SHOW").unwrap_or_default().split('|') {
        println!("> {text}");
        for op in talk.say(text) {
            match op {
                aura_core::FactOp::Add { fact } => {
                    println!("   + {} [{}]", fact.text, fact.subject)
                }
                other => println!("   {other:?}"),
            }
        }
    }
}
