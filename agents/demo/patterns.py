"""How people say what they want, as patterns; `understand` tries `INTENTS` in this order.

Every pattern is bounded: no repetition inside a repetition, so a hostile text costs no more than a plain one.
"""

from __future__ import annotations

import re
from typing import Literal

Intent = Literal[
    "account", "address", "cancel", "track", "clear", "cart", "remove", "order", "more", "similar", "again", "compare",
    "info", "area", "store", "stores", "detail", "pick", "search", "refine", "yes", "no", "hello", "thanks", "help",
    "who", "unknown",
]  # fmt: skip
Topic = Literal["basic", "promotions", "reviews"]


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


ADDRESS = _re(
    r"\b(?:change|update|modify|set|edit|correct)\b.{0,30}\baddress\b|\b(?:new"
    r"|wrong) address\b|\bmy address (?:is|should)\b"
    r"|\b(?:ship|deliver|send) (?:it|them|everything|my order) to\b|(?:修改|更改|更新|改|换"
    r"|变更|设置).{0,10}地址|地址.{0,6}(?:改|换|修改|更新|变更|错了|是)|(?:寄|送|发)到"
)
ADDRESS_VALUE = _re(
    r"(?:\baddress\b.{0,20}?\b(?:to|is|be)\b|\b(?:ship|deliver|send) .{0,15}?\bto\b"
    r"|address\s?:|(?:改成|改为|改到|换成|换到|更新为|更新成|修改为|修改成|设置为|设为"
    r"|变更为|寄到|送到|发到|是|为|成)|:)\s?:?\s?(.{3,200})"
)
ORDER_ID = _re(r"\b(order[_-][a-z0-9_-]{3,40}|m\d{6})\b")
STORE_NOISE = _re(
    r"\b(?:where(?:'s|’s| is| are| can i find)?|find|is|are|the|stores?|shops?|outlets?"
    r"|how (?:do|can|should) (?:i|we) (?:get|go|walk) to|get to|which floor(?: is| are)?"
    r"|take me to|bring me to|lead me to|guide me to|show me(?: the way)? to|go to|walk to"
    r"|navigate(?: me)? to|(?:give me )?directions? to|i (?:want|need|would like) to (?:go"
    r"|get) to|the way to|located|please|can you|could you|on|what floor|way)\b"
    r"|带我们?(?:去|到)|领我去|导航(?:到|去)?|在(?:哪里|哪儿|哪个位置|哪|几楼|几层)"
    r"|怎么(?:走|去|到)|哪(?:里|儿)有|的位置|位置|几楼|几层|哪一?层楼?|请问|请|我们?(?:想"
    r"|要)去|我们?想|去|专卖店|门店|店铺|[的吗呢吧啊呀]|帮我|找"
)
INFO_NOISE = _re(
    r"\b(?:what(?:'s|’s| are| is)?|when|how|does|do|are|is|there|the|opening|business"
    r"|open(?:s|ing)?|close[sd]?|closing|hours?|times?|until|till|today|late|promotions?"
    r"|promos?|deals?|offers?|discounts?"
    r"|sales?|coupons?|reviews?|ratings?|rated|people say about|think of|of|for|at|in|on|any"
    r"|have|has|stores?|shops?|phone|telephone|number|contact|call|show me|tell me|about|get"
    r"|current|special|me|please|can you|customers?|it|they|their|its|good|your|you|know|i"
    r"|want to)\b['’]?s?\b"
    r"|['’]s\b|营业时间|开门时间|关门时间|几点(?:开门|关门|开|关|营业|打烊)?|开到|什么时候"
    r"|有什么|有没有|有哪些|有|优惠券?|打折|折扣|促销|活动|评价|评论|口碑|怎么样|如何|好不好"
    r"|电话|联系方式|多少|专卖店|门店|店铺|的|吗|呢|吧|请问|查(?:一下)?|看看|看一下|一下"
    r"|最近|现在|今天|什么|大家|用户|是"
)
TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    (
        "promotions",
        _re(
            r"\b(?:promotions?|promos?|deals?|offers?|discounts?|sales?|coupons?)\b|优惠|打折|折扣"
            r"|促销|活动"
        ),
    ),
    ("reviews", _re(r"\breviews?\b|what (?:do )?people (?:say|think)|\bratings?\b|评价|评论|口碑")),
    (
        "basic",
        _re(
            r"\b(?:opening|business|store|shop) (?:hours?|times?)\b|\bhours\b|\b(?:open"
            r"|close)s?\b.{0,20}\b(?:today|until|till|at|now)\b|\bwhen (?:do|does|is"
            r"|are).{0,40}\b(?:open|close)|\bphone number\b|\bcontact\b|营业|几点|开门|关门|打烊"
            r"|电话|联系方式"
        ),
    ),
)

INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        "account",
        _re(
            r"\b(?:delete|close|remove|deactivate|cancel)\b.{0,20}\baccount\b|注销|(?:删除|删掉"
            r"|关闭).{0,6}(?:账户|账号|帐号|帐户)"
        ),
    ),
    ("address", ADDRESS),
    (
        "cancel",
        _re(
            r"\bcancel\b.{0,30}\border\b|\bcancel (?:it|that|this)\b|^\W*cancel\W*$|(?:取消|撤销"
            r"|退掉|退了|不要).{0,12}(?:订单|单子)|退单|^\W*取消\W*$"
        ),
    ),
    (
        "track",
        _re(
            r"\b(?:track|status|where(?:'s|’s| is| are)|check|look up|follow"
            r"|when will)\b.{0,24}\borders?\b|\borders?\b.{0,30}\b(?:status|arrive|shipped)|(?:查"
            r"|看).{0,12}(?:订单|物流|快递)|订单.{0,30}(?:状态|到哪|进度|情况|怎么样)|我的订单|物流"
            r"|快递"
        ),
    ),
    (
        "clear",
        _re(
            r"\b(?:clear|empty)\b.{0,16}\b(?:cart|basket|bag|it|everything)\b|\bremove (?:everything"
            r"|all)|清空|(?:全部|都)(?:删|移除|不要)|全删"
        ),
    ),
    (
        "remove",
        _re(
            r"\b(?:remove|take out|delete|drop|discard)\b|\btake .{1,30} out\b|移除|移出|删除|删掉"
            r"|去掉|拿掉|拿出|不要(?:第|这|那)|(?<=[^\W的])不要了|不想要"
        ),
    ),
    (
        "cart",
        _re(
            r"\b(?:what(?:'s|’s| is)|show|view|see|check|look at|open)\b.{0,24}\b(?:cart|basket)\b"
            r"|^\W*(?:my )?(?:shopping )?(?:cart|basket)\W*$|(?:查看|看看|看一下|看下|打开|显示|查"
            r"|看).{0,8}购物车|购物车(?:里|中|有|呢)|^\W*(?:我的)?购物车\W*$"
        ),
    ),
    (
        "pick",
        _re(
            r"\b(?:add|put)\b.{1,60}\b(?:cart|basket)\b|加入购物车|加到购物车|放进购物车|加进购物车"
            r"|^\W*加购\W*$"
        ),
    ),
    (
        "order",
        _re(
            r"\bplace\b.{0,12}\border\b|\bcheck ?out\b|\border (?:it|them|this|that|now|everything"
            r"|all)\b|^\W*(?:please )?order(?: please)?\W*$|\b(?:yes|ok|okay),? order\b|\bi(?:'"
            r"|’)?(?:d like to|ll| want to) (?:order|pay)\W*$|\bpay(?: now| for it)?\b|\bbuy (?:it"
            r"|them|now|everything)\b|\border at the new price|下单|下个单|结账|结算|付款|买单|支付"
            r"|立即购买|提交订单"
        ),
    ),
    (
        "more",
        _re(
            r"\b(?:continue|keep|go on) (?:shopping|looking|browsing)\b|\blook around\b|继续(?:逛"
            r"|购物|看|选)|再(?:逛|看)(?:逛|看)|逛逛|随便看看"
        ),
    ),
    (
        "similar",
        _re(
            r"\bsimilar\b|\bsomething like (?:it|this|that)\b|\balternatives?\b|类似|相似|差不多的"
            r"|替代"
        ),
    ),
    (
        "again",
        _re(
            r"\b(?:try|ask) (?:it |me )?again\b|\bretry\b|^\W*again\W*$|再试|重试|再来一次"
            r"|再问(?:我)?一次"
        ),
    ),
    (
        "compare",
        _re(
            r"\bcompar(?:e|ison)\b|\bdifferen(?:ce|t)\b|\bwhich (?:one )?is better\b|\bvs\.?\b|对比"
            r"|比较|区别|哪[个双款件]更?好|比一比"
        ),
    ),
    (
        "who",
        _re(
            r"\bwho are you\b|\bwhat are you\b|\bare you (?:a |an )?(?:real|human|bot|robot|ai"
            r"|person|model|gpt|demo)|\bwhich model\b|\byour name\b|你是谁|你是什么|你是(?:真|机器"
            r"|人|ai|哪)|什么模型|你叫什么"
        ),
    ),
    (
        "help",
        _re(
            r"^\W*help\W*$|\bhelp me out\b|\bwhat can (?:you|i) (?:do|ask)|\bhow does (?:this"
            r"|it) work|你(?:能|会|可以)(?:做|干|帮).{0,6}(?:什么|啥)|^\W*帮助\W*$|怎么用|能做什么"
        ),
    ),
    (
        "hello",
        _re(
            r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|howdy|hi there|hello there)\W*$"
            r"|^\W*(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗)\W*(?:呀|啊)?\W*$"
        ),
    ),
    (
        "thanks",
        _re(
            r"^\W*(?:many )?(?:thanks|thank you|thx|cheers|great|perfect|bye|goodbye)\b.{0,24}$"
            r"|^\W*(?:谢谢|多谢|感谢|再见|拜拜|辛苦)"
        ),
    ),
    (
        "yes",
        _re(
            r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|go ahead|do it|please do|of course|confirm|right"
            r"|sounds good)\b.{0,40}$|^\W*(?:是的?|好的?|好呀|好啊|可以的?|行|嗯+|对的?|确认|没问题"
            r"|当然)\W*(?:吧|啊|呀|,.{0,20})?\W*$"
        ),
    ),
    (
        "no",
        _re(
            r"^\W*(?:no|nope|nah|not now|never mind|nevermind|no thanks|no thank you"
            r"|don'?t)\b.{0,30}$|^\W*(?:不用?了?|不要了?|不是|算了|不买了|没有了?"
            r"|先不)\W*(?:谢谢)?\W*$"
        ),
    ),
)

GO = _re(
    r"\bwhere(?:'s|’s| is| are)\b|\btake me to\b|\bbring me to\b|\bguide me\b|\blead me\b"
    r"|\bhow (?:do|can|should) (?:i|we) (?:get|go|walk) to\b|\bnavigate\b|\bdirections?\b"
    r"|\bgo to\b|\bget to\b|\bthe way to\b|\bwhich floor\b|\bwhat floor\b|带我|领我|导航"
    r"|在哪|怎么走|怎么去|怎么到|位置|几楼|几层|哪一?层|我(?:想|要)去"
)
STORES = _re(
    r"\b(?:which|what|list|all|any|find|show|search)\b.{0,24}\b(?:stores|shops"
    r"|restaurants)\b|\bwhere can i (?:buy|get|find)\b|(?:有(?:什么|哪些)|找|搜"
    r"|哪些).{0,12}(?:店|商店|店铺|门店|餐厅)(?![里的])|(?:哪里|哪儿|哪家店)(?:有|能"
    r"|可以)?(?:买|卖)"
)
STORES_NOISE = _re(
    r"\b(?:which|what|list|all|any|find|show|search|stores?|shops?|where can i (?:buy|get"
    r"|find)|are there|is there|that|sell|sells|selling|do you have|in|the|mall|here|me|a|an"
    r"|some|for|please)\b|有(?:什么|哪些)|找|搜索?|哪些|哪里|哪儿|哪家|能|可以|有|买到?|卖"
    r"|商场|里|商店|店铺|门店|店|一下|帮我|请|[的吗呢吧啊呀]"
)
DETAIL = _re(
    r"\b(?:tell me (?:more )?about|details?|more (?:about|info)|inspect|describe"
    r"|look (?:closer )?at|look closer|spec(?:s|ification)?|what sizes|which sizes"
    r"|how much is|in stock)\b|详情|详细|介绍|规格|尺码有|有(?:哪些|什么)(?:尺码|码)|有货吗"
    r"|多少钱|看看第|说说"
)
ABOUT = _re(r"怎么样|好不好|\bany good\b")
DETAIL_NOISE = _re(
    r"\b(?:tell me|more|about|details?|info|inspect|describe|look|closer|at|what|which"
    r"|sizes?|how much|specs?|does|do|come|come in|has|have)\b|详情|详细|介绍|规格|尺码"
    r"|多少钱|怎么样|货|说说|信息"
)
THIS = _re(r"\b(?:it|this|that|them|these|those|this one|that one)\b|这[个双款件]|那[个双款件]|它")
ZH_SPLIT = re.compile(r"\s?(?:\band\b|&|,|、|和|跟|与|还有|以及|\bor\b|\?|/)\s?", re.I)


CHOICE_NOISE = _re(
    r"\b(?:compare|comparison|difference|different|between|which|better|vs|with|remove"
    r"|delete|drop|discard|take|out|from|cart|basket|put|into|please|similar|products?"
    r"|items?|options?|alternatives?|like|place|checkout|check|pay|at|price)\b\.?|对比|比较"
    r"|区别|哪[个双款件]更?好|移除|移出|删除|删掉|去掉|拿掉|不要了?|不想要了?|从|购物车|加入"
    r"|加到|加进|放进|把|里|里面|出|商品|类似|相似|立即|结账|结算|付款|买单|支付|现在|按新"
    r"|不|下单|了|这|那|两"
)
