// Result, Option and the question mark; an error type; ends with status 3.
use std::fmt;
use std::num::ParseIntError;

#[derive(Debug)]
enum Problem {
    Empty,
    Number(ParseIntError),
    Negative(i64),
}

impl From<ParseIntError> for Problem {
    fn from(error: ParseIntError) -> Self {
        Problem::Number(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::Empty => write!(f, "nothing there"),
            Problem::Number(error) => write!(f, "not a number, {}", error),
            Problem::Negative(n) => write!(f, "{} is negative", n),
        }
    }
}

fn parse(text: &str) -> Result<i64, Problem> {
    let word = text.split_whitespace().next().ok_or(Problem::Empty)?;
    let number: i64 = word.parse()?;
    if number < 0 {
        return Err(Problem::Negative(number));
    }
    Ok(number)
}

fn sum(texts: &[&str]) -> Result<i64, Problem> {
    let mut total = 0;
    for text in texts {
        total += parse(text)?;
    }
    Ok(total)
}

fn main() {
    let mut failures = 0;
    for texts in [&["1", "2 x"][..], &["5", ""], &["7", "x"], &["-4"]] {
        match sum(texts) {
            Ok(total) => println!("total {}", total),
            Err(problem) => {
                failures += 1;
                println!("error: {}", problem);
            }
        }
    }
    std::process::exit(failures);
}
