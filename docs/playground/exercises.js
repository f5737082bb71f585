/* What can be chosen: programs to look at, and exercises that grade themselves.
 *
 * The texts of programs are in PROGRAMS, by file (made by tools/playground.py).  `goal` says what is
 * graded: "predict" the lines of the slice, "minimise" the events by hand, have the slice "hold" some
 * lines, or have the program "print" something. */
"use strict";

const CHOICES = [
  { group: "Look", title: "A discount that is not given", file: "discount.py", check: "",
    say: "A member should get 10 percent off, and does not. Find the critical slice of what it prints: which statements made it print that?" },
  { group: "Look", title: "How much power does the heating take?", file: "heating.py", check: "stdout:/^power/",
    say: "One line of the output is the criterion. Line 12 ran twice, and both executions are needed; the condition before it is not." },
  { group: "Look", title: "The program of the paper (Figure 5)", file: "sample.py", check: "stdout", stdin: "0\n5\n", algorithm: "ddmin",
    say: "The program of Cleve and Zeller (2000) with its own algorithm. In the answer, Play shows the tests of ddmin one after the other, as Figure 5 draws them." },
  { group: "Exercises", title: "1. Predict a slice", file: "parcel.py", check: "stdout:/^price/", goal: "predict",
    say: "Without which lines would it not print this price? Predict the lines of the critical slice, then let it be computed." },
  { group: "Exercises", title: "2. Find a fault", file: "wages.py", check: "stdout:/^cleo/", goal: "print", expected: "cleo 792",
    say: "Cleo gets 882 for 36 hours at 22 an hour, which should be 792. Look at the slice of that line, then repair the program: it has to print “cleo 792”, and pay the others what they were paid.",
    also: ["ada 760", "ben 900"] },
  { group: "Exercises", title: "3. Delta debugging by hand", file: "recipe.py", check: "stdout:/^dough/", goal: "minimise",
    say: "Leave out executions until none more can go. Each test is a real run of the program in which only what you keep takes effect." },
  { group: "Exercises", title: "4. Two answers", file: "alarm.py", check: "stdout:/^alarm/", goal: "hold", lines: [7, 10],
    say: "Two detectors each set off the alarm, and one is enough. Change the criterion, not the program, so that both assignments are in the slice." },
];
