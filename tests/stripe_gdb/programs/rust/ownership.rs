// Ownership: moves, borrows, mutable borrows, drop order, Box and Rc.
use std::cell::RefCell;
use std::rc::Rc;

struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn consume(value: Noisy) -> usize {
    value.0.len()
}

fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() >= b.len() {
        a
    } else {
        b
    }
}

fn push_twice(list: &mut Vec<i32>, value: i32) {
    list.push(value);
    list.push(value * 2);
}

fn main() {
    let first = Noisy("first");
    let _second = Noisy("second");
    println!("consumed {}", consume(first));
    {
        let _inner = Noisy("inner");
        println!("in the block");
    }
    let mut list = vec![1];
    push_twice(&mut list, 5);
    let copy = list.clone();
    list.clear();
    println!("{:?} {}", copy, list.len());
    println!("{}", longest("short", "longer"));
    let shared = Rc::new(RefCell::new(10));
    let other = Rc::clone(&shared);
    *other.borrow_mut() += 5;
    println!("{} {}", shared.borrow(), Rc::strong_count(&shared));
    let boxed = Box::new(Noisy("boxed"));
    drop(boxed);
    println!("end");
}
