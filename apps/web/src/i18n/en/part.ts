export const part = {
  broken: "This part of the page could not be loaded.",
  hint: "Reload the page. Nothing is lost, and you return to where you are.",
  load: "Reload",
  later: "Later",
}
