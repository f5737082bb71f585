// Strings: characters and bytes, slices, building, formatting, standard input.
use std::io::{self, BufRead, Write};

fn caesar(text: &str, by: u8) -> String {
    text.chars()
        .map(|c| match c {
            'a'..='z' => ((c as u8 - b'a' + by) % 26 + b'a') as char,
            _ => c,
        })
        .collect()
}

fn is_palindrome(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    let mut low = 0;
    let mut high = letters.len();
    while low + 1 < high {
        high -= 1;
        if letters[low] != letters[high] {
            return false;
        }
        low += 1;
    }
    true
}

fn main() -> io::Result<()> {
    let stdin = io::stdin();
    let mut lines = 0;
    for line in stdin.lock().lines() {
        let line = line?;
        lines += 1;
        if line.is_empty() {
            println!("empty line");
            continue;
        }
        println!("{:>12}|{:<12}|{}", line, caesar(&line, 3), is_palindrome(&line));
    }
    let text = String::from("größer");
    println!("{} bytes, {} characters, {}", text.len(), text.chars().count(), text.to_uppercase());
    let mut built = String::new();
    for (i, part) in text.split('ß').enumerate() {
        built.push_str(part);
        built.push(char::from(b'0' + i as u8));
    }
    println!("{} {:?} {:?}", built, built.find('1'), &built[..2]);
    io::stderr().write_all(format!("{} lines\n", lines).as_bytes())?;
    Ok(())
}
