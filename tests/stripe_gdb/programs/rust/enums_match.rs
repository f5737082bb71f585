// Enumerations with data, match with guards, ranges, bindings, nested patterns, if let.
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Circle { radius: i32 },
    Rectangle(i32, i32),
    Empty,
}

fn area(shape: &Shape) -> i32 {
    match shape {
        Shape::Circle { radius } => 3 * radius * radius,
        Shape::Rectangle(width, height) if width == height => {
            println!("a square");
            width * width
        }
        Shape::Rectangle(width, height) => width * height,
        Shape::Empty => 0,
    }
}

fn kind(number: i32) -> &'static str {
    match number {
        i32::MIN..=-1 => "negative",
        0 => "zero",
        n if n % 2 == 0 => "even",
        1 | 3 | 5 | 7 | 9 => "small odd",
        _ => "odd",
    }
}

fn main() {
    let shapes = [
        Shape::Circle { radius: 2 },
        Shape::Rectangle(3, 3),
        Shape::Rectangle(2, 5),
        Shape::Empty,
    ];
    for shape in &shapes {
        println!("{:?} {}", shape, area(shape));
    }
    for number in [-5, 0, 4, 7, 11] {
        println!("{} {}", number, kind(number));
    }
    if let Shape::Rectangle(width, _) = shapes[2] {
        println!("width {}", width);
    }
    let mut stack = vec![Some(1), None, Some(3)];
    while let Some(top) = stack.pop() {
        match top {
            Some(n @ 2..=9) => println!("big {}", n),
            Some(n) => println!("small {}", n),
            None => println!("nothing"),
        }
    }
}
