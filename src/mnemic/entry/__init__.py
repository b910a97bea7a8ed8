"""What people and programs call: parse, call one service, render."""
