// Iterators: adaptors, a type with its own iterator, zip, windows, fold, collect.
struct Collatz {
    value: u32,
}

impl Iterator for Collatz {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.value == 1 {
            return None;
        }
        self.value = if self.value % 2 == 0 {
            self.value / 2
        } else {
            3 * self.value + 1
        };
        Some(self.value)
    }
}

fn main() {
    let squares: Vec<i32> = (1..=6).map(|n| n * n).filter(|n| n % 2 == 1).collect();
    println!("{:?}", squares);
    println!("{}", Collatz { value: 6 }.count());
    let largest = Collatz { value: 6 }.max().unwrap_or(0);
    println!("{}", largest);
    let words = ["apple", "fig", "pear"];
    for (position, word) in words.iter().enumerate().rev() {
        println!("{} {}", position, word);
    }
    let total = words
        .iter()
        .zip([1, 2, 3])
        .map(|(word, factor)| {
            let length = word.len();
            length * factor
        })
        .fold(0, |sum, n| sum + n);
    println!("{}", total);
    let rising = [1, 3, 2, 5].windows(2).filter(|pair| pair[0] < pair[1]).count();
    println!("{} {}", rising, words.iter().any(|word| word.contains("ea")));
    let mut chain = (0..3).chain(7..9).skip(1).step_by(2);
    while let Some(n) = chain.next() {
        println!("{}", n);
    }
}
