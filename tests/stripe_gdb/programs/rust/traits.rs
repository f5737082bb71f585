// Traits: default methods, dynamic dispatch, generics with bounds, operator traits, Display.
use std::fmt;
use std::ops::Add;

trait Animal {
    fn name(&self) -> String;
    fn legs(&self) -> u32 {
        4
    }
    fn describe(&self) -> String {
        format!("{} with {} legs", self.name(), self.legs())
    }
}
struct Dog;

struct Bird {
    kind: &'static str,
}

impl Animal for Dog {
    fn name(&self) -> String {
        "dog".to_string()
    }
}

impl Animal for Bird {
    fn name(&self) -> String {
        format!("{} bird", self.kind)
    }
    fn legs(&self) -> u32 {
        2
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Vector(i32, i32);

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector(self.0 + other.0, self.1 + other.1)
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "<{}, {}>", self.0, self.1)
    }
}

fn main() {
    let animals: Vec<Box<dyn Animal>> = vec![Box::new(Dog), Box::new(Bird { kind: "black" })];
    let mut legs = 0;
    for animal in animals.iter() {
        println!("{}", animal.describe()); legs += animal.legs();
    }
    println!("{} legs", legs);
    let sum = Vector(1, 2) + Vector(30, 40);
    println!("{} {}", sum, sum > Vector(31, 0));
}
