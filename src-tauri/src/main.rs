//! The window: composition only. It opens a workspace, hands it to commands of a few lines, and serves page pictures
//! over a protocol of its own.
//!
//! Deliberately not here: anything that decides, any port that is opened, any plugin that reaches files or a shell.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod corpus;
mod desktop;
mod exports;
mod following;
mod imports;
mod pages;
mod sessions;
mod watching;
mod window;

use std::process::ExitCode;

fn main() -> ExitCode {
    window::choose_renderer();
    match window::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("pincite: {message}");
            ExitCode::FAILURE
        }
    }
}
