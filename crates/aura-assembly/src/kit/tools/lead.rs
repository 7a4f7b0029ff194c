//! Leads: what the descriptions of a server's tools begin with in common.
//!
//! Many servers put the same sentence before each description ("This tool belongs to …"). It says what the server is for
//! and nothing of the tool.

/// A shorter common beginning ("Get the ") is no lead.
const SHORTEST: usize = 40;

/// For each description how many of its bytes are a lead that another description of the same server shares.
pub(super) fn leads(tools: &[(&str, &str)]) -> Vec<usize> {
    let mut out = vec![0; tools.len()];
    let mut order: Vec<usize> = (0..tools.len()).collect();
    order.sort_by_key(|at| tools.get(*at));
    // What a text shares with any other it shares with a neighbour in alphabetical order.
    for pair in order.windows(2) {
        let &[one, other] = pair else {
            continue;
        };
        let (Some(a), Some(b)) = (tools.get(one), tools.get(other)) else {
            continue;
        };
        if a.0 != b.0 || a.1 == b.1 {
            continue;
        }
        let common = common(a.1, b.1);
        for (at, text) in [(one, a.1), (other, b.1)] {
            if let Some(lead) = out.get_mut(at)
                && common >= SHORTEST
                && common < text.trim_end().len()
            {
                *lead = (*lead).max(common);
            }
        }
    }
    out
}

/// The bytes of the common beginning, up to the last white space in it.
fn common(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes());
    let same = one.floor_char_boundary(same.take_while(|(a, b)| a == b).count());
    let shared = one.get(..same).unwrap_or_default();
    shared.rfind(char::is_whitespace).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_share_is_a_lead_and_what_one_says_is_not() {
        let lead = "This tool belongs to the file system and works on files. ";
        let texts = [
            format!("{lead}Reads a file."),
            format!("{lead}Removes a file."),
            "Something else altogether.".to_owned(),
        ];
        let tools: Vec<(&str, &str)> = texts.iter().map(|text| ("files", text.as_str())).collect();
        assert_eq!(leads(&tools), [lead.len(), lead.len(), 0]);
        let apart = [("a", texts[0].as_str()), ("b", texts[1].as_str())];
        assert_eq!(leads(&apart), [0, 0]);
        // The same description twice is a description, not a lead.
        let twins = [("a", texts[0].as_str()), ("a", texts[0].as_str())];
        assert_eq!(leads(&twins), [0, 0]);
    }
}
