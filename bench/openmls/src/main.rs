//! The same on this machine's own instructions: a line in is one removal, a line out what making and processing it took, and
//! the bytes of its commit. First argument: how many members. Second: "classical" or "hybrid", which is also the first line out.

use keymoot_openmls::warm;
use std::{env::args, io, time::Instant};

fn main() {
    let n = args().nth(1).and_then(|text| text.parse().ok()).expect("how many members");
    let suite = args().nth(2).expect("the suite");
    let warm = match suite.as_str() {
        "classical" => warm::classical(n),
        "hybrid" => warm::hybrid(n),
        _ => panic!("classical or hybrid"),
    };
    println!("{suite}");
    for _ in io::stdin().lines() {
        let mut copy = warm.copy();
        let start = Instant::now();
        let bytes = copy.make();
        let made = start.elapsed();
        let has_processed = copy.process();
        let processed = start.elapsed() - made;
        assert!(copy.agree());
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        println!("{} {} {bytes}", ms(made), if has_processed { ms(processed) } else { -1.0 });
    }
}
