// Generics: a stack, a binary tree, functions with bounds, constants as parameters.
use std::fmt::Debug;

#[derive(Debug)]
struct Stack<T, const N: usize> {
    items: [Option<T>; N],
    used: usize,
}

impl<T: Copy + Debug, const N: usize> Stack<T, N> {
    fn new() -> Self {
        Stack { items: [None; N], used: 0 }
    }
    fn push(&mut self, item: T) -> bool {
        if self.used == N {
            println!("full, no room for {:?}", item);
            return false;
        }
        self.items[self.used] = Some(item);
        self.used += 1;
        true
    }
    fn pop(&mut self) -> Option<T> {
        self.used = self.used.checked_sub(1)?;
        self.items[self.used].take()
    }
}

enum Tree<K> {
    Leaf,
    Node(Box<Tree<K>>, K, Box<Tree<K>>),
}

fn insert<K: PartialOrd>(tree: Tree<K>, key: K) -> Tree<K> {
    match tree {
        Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), key, Box::new(Tree::Leaf)),
        Tree::Node(left, here, right) if key < here => Tree::Node(Box::new(insert(*left, key)), here, right),
        Tree::Node(left, here, right) => Tree::Node(left, here, Box::new(insert(*right, key))),
    }
}

fn walk<K: Debug>(tree: &Tree<K>, depth: usize) {
    if let Tree::Node(left, key, right) = tree {
        walk(left, depth + 1);
        println!("{}{:?}", "-".repeat(depth), key);
        walk(right, depth + 1);
    }
}

fn main() {
    let mut stack = Stack::<i32, 2>::new();
    println!("{} {} {}", stack.push(1), stack.push(2), stack.push(3));
    println!("{:?} {:?} {:?}", stack.pop(), stack.pop(), stack.pop());
    let mut tree = Tree::Leaf;
    for word in ["m", "c", "x", "d"] {
        tree = insert(tree, word);
    }
    walk(&tree, 0);
}
