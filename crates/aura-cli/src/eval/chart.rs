//! Evidence by budget as a chart.

use std::fmt::Write as _;

use super::outcome::Cut;
use super::report::label;
use super::score::{Group, Scores};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// Colours that stay apart for readers who see few of them (Okabe and Ito 2008).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];

/// The least distance between two labels, in pixels.
const LABEL_STEP: f64 = 16.0;

/// A line a method: the share of questions whose every labelled message is in the context, by budget. SVG.
#[expect(clippy::cast_precision_loss, reason = "a handful of budgets")]
pub(crate) fn chart(title: &str, cuts: &[Cut], scores: &Scores) -> String {
    let budgets: Vec<Cut> = cuts
        .iter()
        .copied()
        .filter(|cut| matches!(cut, Cut::Tokens(_)))
        .collect();
    let step = (WIDTH - LEFT - RIGHT) / budgets.len().saturating_sub(1).max(1) as f64;
    let x = |at: usize| LEFT + step * at as f64;
    let y = |share: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"13\" fill=\"#222\">\n<title>{0}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\">{0}</text>\n",
        escaped(title)
    );
    for percent in (0..=100).step_by(20) {
        let at = y(f64::from(percent) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{percent}%</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    for (at, &cut) in budgets.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(at),
            HEIGHT - BOTTOM + 20.0,
            label(cut)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">tokens of recalled messages</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 14.0
    );
    let mut ends: Vec<(f64, &str, &str)> = Vec::new();
    for ((number, method), colour) in scores
        .methods()
        .into_iter()
        .zip(COLOURS.into_iter().cycle())
    {
        let shares = budgets.iter().enumerate().filter_map(|(at, &cut)| {
            let sums = scores.get(number, &Group::All, cut)?;
            Some((x(at), y(sums.all)))
        });
        let points: Vec<(f64, f64)> = shares.collect();
        let Some(&(_, end)) = points.last() else {
            continue;
        };
        let line: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\"/>",
            line.join(" ")
        );
        for (x, y) in points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"
            );
        }
        ends.push((end, method, colour));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = TOP;
    for (end, method, colour) in ends {
        let at = end.max(free);
        free = at + LABEL_STEP;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            WIDTH - RIGHT + 12.0,
            at + 4.0,
            escaped(method)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
