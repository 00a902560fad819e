export const schedule = {
  opens: "Opens at (empty: at once)",
  wrong: "Choose a time to come, so that the conference ends within 30 days.",
  title: "Not open yet",
  opensAt: "This conference opens at {{time}}.",
  hint: "Leave this page open: you go in by yourself when it is time. With the link you can come back later, too.",
}
