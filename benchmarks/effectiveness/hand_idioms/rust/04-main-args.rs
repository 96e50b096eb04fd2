use std::env;
use std::fs;
use std::process;

fn main() {
    let args: Vec<String> = env::args().collect();
    if args.len() < 2 {
        eprintln!("Usage: {} <ledger>", args[0]);
        process::exit(1);
    }

    let contents = match fs::read_to_string(&args[1]) {
        Ok(contents) => contents,
        Err(e) => {
            eprintln!("Error reading {}: {}", args[1], e);
            process::exit(1);
        }
    };

    for line in contents.lines() {
        println!("{}", line);
    }
}
