// Vec, HashMap for counting, BTreeMap where order matters, VecDeque, HashSet.
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

fn breadth_first(edges: &BTreeMap<u32, Vec<u32>>, start: u32) -> Vec<u32> {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([start]);
    let mut order = Vec::new();
    while let Some(node) = queue.pop_front() {
        if !seen.insert(node) {
            continue;
        }
        order.push(node);
        if let Some(next) = edges.get(&node) {
            queue.extend(next);
        }
    }
    order
}

fn main() {
    let mut counts: HashMap<&str, i32> = HashMap::new();
    for word in "one two one three two one".split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{:?}", sorted);

    let mut edges = BTreeMap::new();
    for (from, to) in [(1, 2), (1, 3), (2, 4), (3, 4), (4, 1)] {
        edges.entry(from).or_insert_with(Vec::new).push(to);
    }
    println!("{:?} {:?}", edges, breadth_first(&edges, 1));

    let mut numbers = vec![5, 3, 9, 1];
    numbers.sort();
    numbers.dedup();
    numbers.retain(|n| n % 3 == 0 || *n == 5);
    numbers.insert(1, 4);
    println!("{:?} {:?} {}", numbers, numbers.binary_search(&9), numbers.contains(&1));
    println!("{:?}", numbers.iter().rev().take(2).collect::<Vec<_>>());
}
