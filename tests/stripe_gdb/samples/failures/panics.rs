struct Guard(i32);
impl Drop for Guard {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
static mut INDEX: usize = 9;
fn look(row: &[i32]) -> i32 {
    let _guard = Guard(7);
    row[unsafe { INDEX }]
}
fn main() {
    let row = [1, 2, 3];
    unsafe { INDEX = 1 };
    println!("{}", look(&row));
    unsafe { INDEX = 5 };
    println!("{}", look(&row));
}
