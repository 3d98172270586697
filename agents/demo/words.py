"""The words the mall script knows: brands, kinds of goods, areas, and what is no part of a search.

A real model knows these from the world; the catalogue itself is only ever learned from tool results.
"""

from __future__ import annotations

import re

BRANDS = {
    "Nike": "nike|耐克",
    "Adidas": "adidas|addidas|阿迪达斯|阿迪",
    "Li-Ning": "li-?ning|李宁",
    "Summit": "summit|巅峰",
    "Uniqlo": "uniqlo|优衣库",
    "Levi's": "levi'?s?|levi’s|李维斯",
    "Converse": "converse|匡威",
    "Linen Lane": "linen lane|麻语",
    "Travel & Co": "travel (?:&|and) co|旅行家",
    "Apple": "apple|苹果",
    "Xiaomi": "xiaomi|redmi|小米|红米",
    "Huawei": "huawei|华为",
    "Sony": "sony|索尼",
    "Lego": "lego|乐高",
    "Little Sprout": "little sprout|小芽",
    "Muji": "muji|无印良品|无印",
    "Cozy Nest": "cozy nest|暖窝",
    "Orchard": "orchard|果园",
    "Morning Bean": "morning bean|晨豆",
    "Cloud Tea": "cloud tea|云上",
    "L'Oréal": "l'?or[eé]al|欧莱雅",
    "Glow": "glow|焕颜",
    "Scent Garden": "scent garden|香氛花园",
}
ONE_BRAND = {name: re.compile(rf"(?<![a-z])(?:{pattern})(?![a-z])", re.I) for name, pattern in BRANDS.items()}

GOODS = re.compile(
    r"shoes?\b|sneakers?|trainers?\b|runners\b|t-?shirts?|tees?\b|shirts?\b|jackets?"
    r"|coats?\b|parkas?|trousers|pants|jeans|bags?\b|backpacks?|suitcases?"
    r"|luggage|totes?\b|phones?\b|smartphones?|iphones?|headphones?|earphones?|earbuds?"
    r"|headsets?|airpods|speakers?|laptops?|computers?|tablets?|ipads?"
    r"|macbooks?|watch(?:es)?\b|bands?\b|wearables?|lamps?\b|mugs?\b|cups?\b|pens?\b"
    r"|notebooks?|toys?\b|bricks|snacks?|nuts?\b|coffee|\btea\b|perfumes?"
    r"|lipsticks?|masks?\b|sunscreen|cosmetics|makeup|skincare|clothes|clothing|gifts?\b"
    r"|candles?|sofas?|duvets?|wok\b|vacuum|kids.? clothes"
    r"|鞋|T恤|衬衫|衬衣|短袖|外套|夹克|羽绒服|冲锋衣|风衣|大衣|裤|包(?!含)|箱|手机|耳机|音箱"
    r"|音响|电脑|笔记本|平板|手表|手环|台灯|杯|文具|中性笔|玩具|积木"
    r"|零食|坚果|咖啡|茶|香水|口红|面膜|防晒|面霜|化妆品|护肤|彩妆|美妆|衣服|服装|童装|礼物"
    r"|蜡烛|沙发|被子|锅|扫地|电子产品|数码|家居",
    re.I,
)

_AREAS_EN = (
    r"(?:food|kids?|children'?s?|sports?|fashion|clothing|clothes|digital|electronics|beauty"
    r"|cosmetics|home|bags?|furniture|coffee|toys?)"
)
AREA = re.compile(
    rf"\bfood (?:court|hall)\b|\b(?:caf[eé]|coffee) corner\b|\b{_AREAS_EN} (?:area|zone"
    r"|section|department|floor)\b|\brestaurants?\b"
    r"|\b(?:place|somewhere|where) (?:can i |to |could i )eat\b"
    r"|(?:美食|餐饮|儿童|亲子|玩具|运动|体育|服装|服饰|女装|男装|数码|电子|电器|美妆|化妆品"
    r"|护肤|箱包|配饰|家居|家具|咖啡|食品)(?:区|广场|角)"
    r"|吃饭的地方|(?:哪里|哪儿|在哪)(?:可以)?吃饭|餐厅",
    re.I,
)

_POLITE = r"please|pls|could you|can you|would you|will you|kindly|thanks|thank you|hi|hello|hey"
FILLER = re.compile(
    rf"\b(?:{_POLITE}|show me|let me see|find me|find|search(?: for)?|looking for|look for"
    r"|i am|i'm|i’m|i would like|i'd like|i’d like|i want|i need|we need"
    r"|do you have|have you got|have you|got any|are there|is there|what about|how about"
    r"|recommend|suggest|give me|get me|buy me|buy|get|purchase"
    r"|shopping for|shop for|order me|order|to buy|pair of|pairs of|for me|help me|me|some"
    r"|any|a few|the|a|an|one|ones|of|to|my|some of|in stock|with a|that|which|are|is"
    r"|cheap(?:er|est)?|affordable|inexpensive|good|nice|best(?: rated)?|price[ds]?|cost(?:s"
    r"|ing)?|new|instead|see|and|but|or|for|it|i|you|what|add|take|want|need"
    r"|in|at|show|only|just|something|anything|ok(?:ay)?|so|do|sell|have|there|here|also|too"
    r"|now|browse|list|them|these|those|would|be|great|fine|perfect|works|let(?:'|’)s"
    r"|go with|wear|usually|think|guess|two|three|i(?:'|’)ll|will)\b(?!['’])"
    r"|帮我|给我|我想要?|我要|我需要|想要|想买|请问|请|麻烦你?|能不能|可不可以|可以"
    r"|推荐(?:一下|几[款双个件])?|搜索(?:一下)?|搜(?:一下|一搜)?|查找|查(?:一下)?|找(?:一下"
    r"|一找)?"
    r"|看看|看一下|看一看|有没有|有什么|有哪些|有|买|来|购买"
    r"|一[双件个款条台部副盒包瓶杯套只]|几[双件个款]|便宜(?:点|一点|些)?的?|性价比高?|价格"
    r"|价位|好的|最|不错的?|什么|哪些"
    r"|[的吗呢吧啊呀]|一下|左右|元|块|同款|换成|要|预算|适合|[这那]?个|的话|话|就|穿|我|那(?!么)|[你您]",
    re.I,
)

SEARCH_VERB = re.compile(
    r"\b(?:show|find|search|look(?:ing)? for|buy|purchase|shop(?:ping)? for|recommend"
    r"|i (?:want|need)|i(?:'|’)d like|do you (?:have|sell)|got any|what about|how about"
    r"|browse|any)\b"
    r"|买|找|搜|推荐|有没有|有什么|想要|我要|需要|来一[双件个款条台部副盒包瓶杯套只]",
    re.I,
)
BUY_VERB = re.compile(
    r"\b(?:buy|purchase|get me|i(?:'|’)ll take|i will take|add|put|take|i want|order)\b|买"
    r"|加入|加购|加到|加一|放进|要|拿|来[一两]",
    re.I,
)
CHEAP = re.compile(
    r"\b(?:cheap|cheaper|affordable|inexpensive|low[- ]price|budget(?! \d))\b|便宜|性价比"
    r"|实惠",
    re.I,
)
CHEAPEST = re.compile(r"\b(?:cheapest|least expensive|lowest price)\b|最便宜|最低价|价格最低", re.I)
BEST = re.compile(r"\b(?:best|highest|top)(?:[- ]?rated| rating)?\b|评分最高|最好的?|评价最好", re.I)
