export const schedule = {
  opens: "Opens at (empty: now)",
  wrong: "Choose a time in the future. The conference must end within 30 days.",
  title: "Not open yet",
  opensAt: "This conference opens: {{time}}.",
  hint: "Leave this page open to join automatically. You can also come back later with the link.",
}
