export const update = {
  ready: "A new version of Keymoot is here.",
  load: "Load it",
  hint: "What you are in goes on where it was.",
  later: "Later",
}
