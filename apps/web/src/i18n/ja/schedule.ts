import type { TextsWithoutOne } from "../plurals.ts"

export const schedule: TextsWithoutOne["schedule"] = {
  opens: "開始時刻（空欄：今すぐ）",
  wrong: "これからの時刻を選んでください。会議は30日以内に終わる必要があります。",
  title: "まだ始まっていません",
  opensAt: "この会議は{{time}}に始まります。",
  hint: "このページを開いたままにすると、自動で入ります。あとでリンクから戻ることもできます。",
}
