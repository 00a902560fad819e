import type { TextsWithoutOne } from "../../plurals.ts"

export const timer: TextsWithoutOne["timer"] = {
  title: "タイマー",
  hint: "全員に見えます。描ける人は全員変更できます。",
  minutes_other: "{{count}}分",
  length: "分数",
  lengthNeeded: "1から{{count}}までの数を入力してください。",
  start: "タイマーを開始",
  pause: "一時停止",
  resume: "再開",
  clear: "タイマーを削除",
  left: "タイマー：残り{{time}}",
  paused: "タイマー一時停止中：残り{{time}}",
  over: "タイマーが終わりました。",
}
