// Panics with an index out of bounds: status 101; values alive are dropped on the way.
struct Account {
    owner: &'static str,
    history: Vec<i32>,
}

impl Drop for Account {
    fn drop(&mut self) {
        println!("closing {}", self.owner);
    }
}

fn last_but(account: &Account, back: usize) -> i32 {
    let at = account.history.len() - 1 - back;
    account.history[at]
}

fn average(account: &Account, count: usize) -> i32 {
    let mut sum = 0;
    for back in 0..count {
        sum += account.history[count - back];
    }
    sum / count as i32
}

fn main() {
    let mut ann = Account { owner: "ann", history: vec![10] };
    let bob = Account { owner: "bob", history: vec![4, 8, 15] };
    for amount in [20, 30] {
        ann.history.push(amount);
    }
    println!("{} {}", last_but(&ann, 0), last_but(&bob, 2));
    println!("{}", average(&ann, 2));
    println!("{}", average(&bob, 3));
    println!("never here");
}
