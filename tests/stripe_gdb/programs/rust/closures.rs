// Closures: Fn, FnMut, FnOnce, returned closures, function pointers, a table of them.
fn apply<F: Fn(i32) -> i32>(f: F, times: u32, start: i32) -> i32 {
    let mut value = start;
    for _ in 0..times {
        value = f(value);
    }
    value
}

fn adder(by: i32) -> impl Fn(i32) -> i32 {
    move |value| value + by
}

fn composed(f: Box<dyn Fn(i32) -> i32>, g: Box<dyn Fn(i32) -> i32>) -> Box<dyn Fn(i32) -> i32> {
    Box::new(move |value| g(f(value)))
}

fn double(value: i32) -> i32 {
    value * 2
}

fn main() {
    let offset = 3;
    println!("{}", apply(|x| x * 2 + offset, 3, 1));
    println!("{} {}", apply(adder(5), 2, 0), apply(double, 4, 1));

    let mut calls = 0;
    let mut count = || {
        calls += 1;
        calls
    };
    count();
    count();
    println!("calls {}", calls);

    let name = String::from("moved");
    let consume = move || name.len();
    println!("{}", consume());

    let both = composed(Box::new(adder(1)), Box::new(double));
    println!("{}", both(20));

    let table: [(&str, fn(i32) -> i32); 2] = [("double", double), ("negate", |x| -x)];
    for (name, f) in table {
        println!("{} {}", name, f(21));
    }
}
