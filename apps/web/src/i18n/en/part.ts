export const part = {
  broken: "This part of the page could not be loaded.",
  hint: "Load the page again: nothing is lost, and you come back to where you are.",
  load: "Load again",
  later: "Later",
}
