//! The same on this machine's own instructions: a line in is one removal, a line out what making and processing it took.
//! First argument: how many members.

use keymoot_openmls::warm::Warm;
use std::{io, time::Instant};

fn main() {
    let n = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("how many members");
    let warm = Warm::new(n);
    println!("ready");
    for _ in io::stdin().lines() {
        let mut copy = warm.copy();
        let start = Instant::now();
        copy.make();
        let made = start.elapsed();
        let has_processed = copy.process();
        let processed = start.elapsed() - made;
        assert!(copy.agree());
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        println!("{} {}", ms(made), if has_processed { ms(processed) } else { -1.0 });
    }
}
