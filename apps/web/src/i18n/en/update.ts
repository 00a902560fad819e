export const part = {
  broken: "This part of the page could not be loaded.",
  hint: "Reload the page. You return to where you are.",
  load: "Reload",
  later: "Later",
}

export const update = {
  ready: "A new version of Keymoot is available.",
  load: "Update",
  hint: "Your conference continues where it was.",
  forms: "Forms that you have not sent are cleared.",
  later: "Later",
  weAreOlder: "Reload this page: others use a newer version.",
  reload: "Reload",
  theyAreOlder_one: "{{names}} uses an older version. Ask them to reload.",
  theyAreOlder_other: "{{names}} use an older version. Ask them to reload.",
  manyAreOlder_one: "{{count}} person uses an older version. Ask them to reload.",
  manyAreOlder_other: "{{count}} people use an older version. Ask them to reload.",
}
