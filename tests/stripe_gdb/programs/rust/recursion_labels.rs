// Recursion, loops with labels, loop with a value, shadowing, wrapping arithmetic.
fn hanoi(disks: u32, from: char, to: char, over: char, moves: &mut Vec<String>) {
    if disks == 0 {
        return;
    }
    hanoi(disks - 1, from, over, to, moves);
    moves.push(format!("{}{}", from, to));
    hanoi(disks - 1, over, to, from, moves);
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn first_triple(limit: u32) -> Option<(u32, u32, u32)> {
    'outer: for a in 3..limit {
        for b in a..limit {
            for c in b..=limit {
                if a * a + b * b == c * c {
                    if a % 2 == 0 {
                        return Some((a, b, c));
                    }
                    continue 'outer;
                }
            }
        }
    }
    None
}

fn main() {
    let mut moves = Vec::new();
    hanoi(3, 'A', 'C', 'B', &mut moves);
    println!("{} {}", moves.len(), moves.join(" "));
    println!("{} {:?} {:?}", gcd(1071, 462), first_triple(10), first_triple(5));
    let mut n = 27u32;
    let steps = loop {
        n = n.wrapping_mul(2654435761) >> 3;
        if n % 7 == 0 {
            break n % 100;
        }
    };
    println!("{}", steps);
    let found = 'search: {
        for i in 1.. {
            if i * i > 200 {
                break 'search i;
            }
        }
        0
    };
    println!("{}", found);
    let n = found + 1;
    let n = n * 2;
    println!("{} {}", n, 250u8.wrapping_add(10));
}
