export const embed = {
  inside: "Shown inside another website, which can’t read what you write or draw here.",
  insideOf: "Shown inside {{host}}, which can’t read what you write or draw here.",
  refused: "Keymoot may not be shown inside this website",
  refusedHint: "Its server does not name this website as allowed. Open Keymoot in a tab of its own.",
  open: "Open in a new tab",
}
