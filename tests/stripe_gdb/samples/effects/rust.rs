
    fn mean(values: &[i64], count: i64) -> i64 {
        let mut sum = 0;                // let
        for v in values { sum += v; }   // loop
        sum / count                     // value
    }
    fn main() {
        let (a, b) = pair(3);           // pattern
        println!("{a} of {}", b);       // print
    }
