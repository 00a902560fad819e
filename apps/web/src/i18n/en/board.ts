export const board = {
  label: "Whiteboard",
  menu: "Whiteboard menu",
  loading: "Loading the whiteboard…",
  failed: "The whiteboard stopped working.",
  failedHint: "Nothing is lost: what was drawn is kept.",
  reload: "Reload the board",
}
