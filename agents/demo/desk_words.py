"""What the desk script says, in both languages."""

from __future__ import annotations

from typing import Any

from agents.demo.language import Language

WEEKDAYS = (
    ("Monday", "周一"), ("Tuesday", "周二"), ("Wednesday", "周三"), ("Thursday", "周四"), ("Friday", "周五"),
    ("Saturday", "周六"), ("Sunday", "周日"),
)  # fmt: skip
PHRASES: dict[str, tuple[str, str]] = {
    "help": (
        "I am the scripted demo of a desk assistant. I can set, list and delete reminders, do something by myself at a"
        " set time, search the web (sample data here), summarise our conversation, tell prices and news, draw charts,"
        " and write a market report in the background while we go on.",
        "我是桌面助手的脚本演示。我可以设置、列出和删除提醒，在指定时间自动做事，搜索网络（这里是示例数据），总结我们的对话，"
        "查询行情和资讯，绘制 K 线图，还能在后台撰写市场报告，期间我们可以继续聊。",
    ),
    "setting": ("I will set that.", "好的，我来设置。"),
    "set_tell": ("Done. {when} I will remind you: **{content}**.", "已设置。{when}我会提醒您：**{content}**。"),
    "set_run": (
        "Done. {when} I will do this by myself: **{content}**. What needs your yes will wait for you.",
        "已设置。{when}我会自动执行：**{content}**。需要您同意的操作会等您处理。",
    ),
    "next": ("Next time: {next} ({zone}).", "下一次：{next}（{zone}）。"),
    "guessed": ("You named no hour, so I took {time}.", "您没有说具体时间，我按 {time} 设置。"),
    "when": (
        "When shall I remind you? It can be once, every day, or every week.",
        "什么时候提醒您？可以只提醒一次，也可以每天或每周提醒。",
    ),
    "what": ("What shall I remind you of?", "要提醒您什么？"),
    "no_clock": (
        "I cannot tell what time it is for you. Give me a date and a time.",
        "我不知道您那里现在几点，请告诉我日期和时间。",
    ),
    "listing": ("I will look at your reminders.", "我来看看您的提醒。"),
    "none": ("You have no reminders.", "您还没有提醒。"),
    "list": ("Your reminders:", "您的提醒："),
    "which": ("Which one? Say its number.", "要删除哪一个？请说编号。"),
    "which_none": ("I find no such reminder.", "没有找到这样的提醒。"),
    "deleting": ("I will delete it.", "好的，我来删除。"),
    "deleted": ("Deleted: {content}.", "已删除：{content}。"),
    "once": ("On {time}", "{time} "), "daily": ("Every day at {time}", "每天 {time} "),
    "weekly": ("Every {day} at {time}", "每{day} {time} "),
    "paused": ("paused", "已暂停"), "by_itself": ("runs by itself", "自动执行"),
    "broken": ("nobody can tell when it comes", "时间无效"),
    "searching": ("I will search for that.", "我来搜索一下。"),
    "what_search": ("What shall I search for?", "要搜索什么？"),
    "sample": ("These are sample data.", "以上为示例数据。"),
    "summing": ("I will summarise that.", "我来总结一下。"),
    "nothing": ("There is nothing to summarise there.", "这段时间没有可以总结的内容。"),
    "span": ("({count} messages, {start} to {end})", "（共 {count} 条消息，{start} 至 {end}）"),
    "reporting": ("I will have the report written in the background.", "我让报告在后台撰写。"),
    "working": (
        "The report is being written in the background; you see how far it is. Let us go on meanwhile, I will tell you"
        " when it is there.",
        "报告正在后台撰写，您可以看到进度。我们可以继续聊，完成后我会告诉您。",
    ),
    "report": ("The market report is there:", "市场报告完成了："),
    "report_head": (
        "| Future | Over the year | Lowest | Highest | Volatility |",
        "| 品种 | 全年涨跌 | 最低 | 最高 | 波动率 |",
    ),
    "report_lacks": ("I found nothing about {names}.", "没有找到：{names}。"),
    "report_cancelled": ("The market report was cancelled.", "市场报告已取消。"),
    "report_failed": ("The market report did not work out: {why}", "市场报告没有完成：{why}"),
    "report_unknown": (
        "Nobody knows how the market report ended; somebody will look at it.",
        "市场报告的结果不明，会有人查看。",
    ),
    "waits": (
        "This waits for a reviewer now. I will tell you when it is decided.",
        "这需要审核人批准，决定后我会告诉您。",
    ),
    "not_done": ("All right, I leave it.", "好的，那就不做了。"),
    "failed": ("That did not work: {why}", "没有成功：{why}"),
    "s_tomorrow": ("Tomorrow at 9:00", "明天 9:00"), "s_later": ("In 10 minutes", "10 分钟后"),
    "s_weekly": ("Every Monday at 9:00", "每周一 9:00"), "s_list": ("List my reminders", "列出我的提醒"),
    "s_nth": ("Delete reminder number {n}", "删除第{n}个提醒"),
    "s_remind": ("Remind me tomorrow at 9 to call Ann", "明天 9 点提醒我给小安打电话"),
    "s_search": ("Search the web for what moves copper", "搜索铜价受什么影响"),
    "s_summary": ("Summarise our conversation", "总结一下我们的对话"),
    "s_report": ("Write a market report on gold and crude oil", "写一份黄金和原油的市场报告"),
}  # fmt: skip
OPTIONS = ("s_remind", "s_search", "s_summary", "s_report")
"""What the desk offers when it says what it can do."""


def say(key: str, language: Language, **values: Any) -> str:
    return PHRASES[key][language == "zh"].format(**values)


def weekday(day: Any, language: Language) -> str:
    return WEEKDAYS[day][language == "zh"] if isinstance(day, int) and 0 <= day < 7 else "?"
