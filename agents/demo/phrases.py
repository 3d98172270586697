"""Everything the mall guide says, in both languages. Placeholders are filled by `say.Voice`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    # conversation
    "hello": (
        "Hello! I am the mall guide. I can find products, put them into your cart, place "
        "orders, and show you the way to a store.",
        "您好！我是商城导购，可以帮您找商品、加购物车、下单，也能带您去店铺。",
    ),
    "help": (
        'I can search products ("Nike running shoes under 500"), show details and sizes, '
        "fill your cart, place and cancel orders, "
        "change your address, tell opening hours, offers and reviews of stores, and show the "
        "way to a store or area.",
        "我可以搜索商品（“500 以内的 Nike 跑鞋”）、看详情和尺码、加购物车、下单和取消订单、"
        "修改地址，查店铺的营业时间、优惠和评价，也能带您去店铺或区域。",
    ),
    "who": (
        "I am a scripted demo: a small program that plays the mall guide, not a real language "
        "model. The tools I call are real, though.",
        "我是脚本演示模型：一个扮演商城导购的小程序，并不是真正的语言模型。不过我调用的工具都是真的。",
    ),
    "unknown": (
        "Sorry, I did not understand that. I am a scripted demo and know the mall: products, "
        "cart, orders, stores and the way to them.",
        "抱歉，我没听懂。我是脚本演示模型，只懂商城里的事：商品、购物车、订单、店铺和路线。",
    ),
    "thanks": ("You are welcome! Anything else?", "不客气！还需要别的吗？"),
    "no": ("All right. Anything else?", "好的。还需要别的吗？"),
    "anything_else": ("Is there anything else I can do?", "还有什么可以帮您的吗？"),
    "more": ("Of course, look around. What would you like to see?", "好的，您慢慢逛。想看点什么？"),
    "cannot": (
        "I cannot do that here: I was not given the tool for it.",
        "这里我做不到：没有给我相应的工具。",
    ),
    "type_instead": ("You can answer: {options}.", "您可以回答：{options}。"),
    # searching
    "searching": ("Let me look for {what}{limits}.", "我来找找{limits}{what}。"),
    "searching_similar": ("Let me look for something similar.", "我来找找类似的商品。"),
    "goods": ("that", "您要的商品"),
    "limit_between": (" between ¥{low} and ¥{high}", " ¥{low} 到 ¥{high} 的 "),
    "limit_high": (" under ¥{high}", " ¥{high} 以内的 "),
    "limit_low": (" over ¥{low}", " ¥{low} 以上的 "),
    "found": (
        "I found {count}:\n\n{list}\n\nLet me check **{name}**, {why}.",
        "找到 {count} 款：\n\n{list}\n\n我看一下{why}的 **{name}**。",
    ),
    "found_one": (
        "I found one that fits: **{name}**, ¥{price}. Let me check its sizes and stock.",
        "找到一款合适的：**{name}**，¥{price}。我看一下尺码和库存。",
    ),
    "found_list": (
        "I found {count}:\n\n{list}\n\nWhich one do you like?",
        "找到 {count} 款：\n\n{list}\n\n您喜欢哪一款？",
    ),
    "why_best": ("the best rated", "评分最高"),
    "why_cheapest": ("the cheapest", "最便宜"),
    "nothing_found": (
        "I found nothing for that.{message} Shall we try something else?",
        "没有找到符合条件的商品。{message}要不要换个条件试试？",
    ),
    "searching_wider": ("Nothing for “{before}”. Let me try “{what}”.", "没有“{before}”，我再找找“{what}”。"),
    "what_to_search": ("What are you looking for?", "您想找什么商品？"),
    # choosing
    "checking": ("Let me check **{name}**.", "我看一下 **{name}**。"),
    "comparing": ("Let me compare them.", "我来比较一下。"),
    "which": ("Which one do you mean?", "您指的是哪一款？"),
    "no_such_place": (
        "There are only {count} in the list. Which one do you mean?",
        "列表里只有 {count} 款，您指的是哪一款？",
    ),
    "recommend": (
        "I recommend **{name}**: ¥{price}{rating}.{about}",
        "推荐 **{name}**：¥{price}{rating}。{about}",
    ),
    "rated": (", rated {rating}", "，评分 {rating}"),
    "sizes": (" In stock: {sizes}.", "有货：{sizes}。"),
    "ask_size": (" Which size would you like?", "请问您要哪个尺码？"),
    "ask_kind": (" Which one would you like?", "请问您要哪一种？"),
    "in_size": (" ({size})", "（{size}）"),
    "size_there": (" {size} is in stock. Shall I add it to your cart?", "{size} 有货，要加入购物车吗？"),
    "ask_add": (" Shall I add it to your cart?", "要加入购物车吗？"),
    "no_such_size": ("**{name}** does not come in {size}.", "**{name}** 没有 {size} 这个尺码。"),
    "size_sold_out": ("**{name}** in {size} is sold out.", "**{name}** 的 {size} 卖完了。"),
    "too_few": (
        "There are only {left} of **{name}** in {size} left.",
        "**{name}** 的 {size} 只剩 {left} 件。",
    ),
    "sold_out": (
        "**{name}** is sold out. Shall I look for something similar?",
        "**{name}** 卖完了，要看看类似的吗？",
    ),
    "compared": (
        "Here is how they compare:\n\n{list}\n\nI would take **{name}**.",
        "比较如下：\n\n{list}\n\n我会选 **{name}**。",
    ),
    "sold_out_mark": (", sold out", "，无货"),
    # cart and orders
    "adding": (
        "I will put {quantity} × **{name}**{size} into your cart.",
        "我把 {quantity} 件 **{name}**{size}加入购物车。",
    ),
    "added": (
        "Added to your cart:\n\n{list}\n\nTotal ¥{total}. Would you like to order now?",
        "已加入购物车：\n\n{list}\n\n合计 ¥{total}。需要现在下单吗？",
    ),
    "cart": ("In your cart:\n\n{list}\n\nTotal ¥{total}.", "您的购物车：\n\n{list}\n\n合计 ¥{total}。"),
    "cart_empty": ("Your cart is empty.", "您的购物车是空的。"),
    "cart_unknown": (
        "I have not put anything into your cart in this conversation yet.",
        "这次对话里还没有加过购物车。",
    ),
    "which_line": ("Which one shall I take out?\n\n{list}", "要移除哪一件？\n\n{list}"),
    "removing": ("I will take **{name}** out of your cart.", "我把 **{name}** 移出购物车。"),
    "removed": (
        "Done. Now in your cart:\n\n{list}\n\nTotal ¥{total}.",
        "已移除。购物车现在有：\n\n{list}\n\n合计 ¥{total}。",
    ),
    "clearing": ("I will empty your cart.", "我来清空购物车。"),
    "cleared": ("Your cart is empty now.", "购物车已清空。"),
    "ordering": (
        "I will order what is in your cart, ¥{total} in all.",
        "我来下单购物车里的商品，合计 ¥{total}。",
    ),
    "ordered": (
        "Your order {order} is placed: ¥{total}.{address}",
        "订单 {order} 已提交，合计 ¥{total}。{address}",
    ),
    "goes_to": (" It goes to: {address}.", "送往：{address}。"),
    "order_status": (
        "Order {order}: {status}. Total ¥{total}.{address}",
        "订单 {order}：{status}。合计 ¥{total}。{address}",
    ),
    "no_order": (
        "I know of no order in this conversation. What is the order number?",
        "这次对话里没有订单，请问订单号是多少？",
    ),
    "cancelling": ("I will cancel order {order}.", "我来取消订单 {order}。"),
    "cancelled": ("Order {order} is cancelled.", "订单 {order} 已取消。"),
    "which_address": (
        'What is the new address? Please write "change my address to …".',
        "新地址是什么？请说“修改地址为……”。",
    ),
    "moving": ("I will change your address to: {address}.", "我把您的地址改为：{address}。"),
    "moved": ("Your address is now: {address}.", "您的地址已改为：{address}。"),
    "deleting": (
        "I will ask to delete your account. That cannot be undone.",
        "我来申请注销您的账户，此操作不可恢复。",
    ),
    "deleted": ("Your account is deleted.", "您的账户已注销。"),
    # stores
    "going": ("Let me show you the way to {places}.", "我来带您去{places}。"),
    "way": (
        "**{name}** is on floor {floor}; the way is on the plan.",
        "**{name}** 在 {floor} 楼，路线请看平面图。",
    ),
    "way_plain": ("The way to **{name}** is on the plan.", "去 **{name}** 的路线请看平面图。"),
    "looking_up": ("Let me look that up.", "我查一下。"),
    "store_list": ("I found these stores:\n\n{list}", "找到这些店铺：\n\n{list}"),
    "store_line": ("{name}, floor {floor}", "{name}，{floor} 楼"),
    "no_store": ("I found no such store.", "没有找到这家店铺。"),
    "which_store": ("Which store do you mean?", "您问的是哪家店？"),
    "hours": (
        "**{name}** is open {hours}, floor {floor}. Phone: {phone}.",
        "**{name}** 营业时间 {hours}，在 {floor} 楼，电话 {phone}。",
    ),
    "promotions": ("Offers at **{name}**:\n\n{list}", "**{name}** 的优惠：\n\n{list}"),
    "no_promotions": ("**{name}** has no offers at the moment.", "**{name}** 目前没有优惠。"),
    "reviews": (
        "What people say about **{name}**{rating}:\n\n{list}",
        "大家对 **{name}** 的评价{rating}：\n\n{list}",
    ),
    "no_reviews": ("There are no reviews of **{name}** yet.", "**{name}** 还没有评价。"),
    # what went wrong
    "price_changed": (
        "The price has changed since you saw it:\n\n{list}\n\nNothing was ordered. Would you "
        "like to order at the new price?",
        "价格有变动：\n\n{list}\n\n还没有下单。要按新价格下单吗？",
    ),
    "price_changed_plain": (
        "The price has changed since you saw it. {message} Shall I go on?",
        "价格有变动。{message} 要继续吗？",
    ),
    "price_line": ("{name}: was ¥{old}, now ¥{new}", "{name}：原价 ¥{old}，现价 ¥{new}"),
    "out_of_stock": ("That is not in stock. {message}", "库存不足。{message}"),
    "similar_list": ("\n\nThese are similar:\n\n{list}", "\n\n类似的商品有：\n\n{list}"),
    "not_found": ("The mall does not know “{what}”.", "商城里没有找到“{what}”。"),
    "not_cancellable": (
        "That order is {status} already, so it cannot be cancelled any more.",
        "这个订单{status}，不能再取消了。",
    ),
    "denied": ("All right, I did not do it. Anything else?", "好的，我没有执行。还需要别的吗？"),
    "expired": (
        "Nobody answered in time, so nothing was done. Shall I ask again?",
        "没有及时确认，所以什么都没有执行。要我再问一次吗？",
    ),
    "lapsed": (
        "It was approved, but not carried out in time, so nothing was done. Shall I ask again?",
        "已经批准，但没能按时执行，所以什么都没有做。要再试一次吗？",
    ),
    "withdrawn": (
        "That was not carried out; nothing was changed. Shall I try again?",
        "这一步没有执行，什么都没有改变。要再试一次吗？",
    ),
    "waiting": (
        "A reviewer has to approve this first. Nothing has been changed yet; you will hear "
        "when it is decided.",
        "这一步需要审核员先批准。目前什么都还没有改变，有结果会通知您。",
    ),
    "timeout": (
        "The shop does not answer at the moment. Shall I try again?",
        "商城系统暂时没有响应，要再试一次吗？",
    ),
    "unclear": (
        "The shop did not answer, so I cannot tell whether it was done. Please check before repeating it.",
        "商城系统没有回应，我无法确定是否已经执行。重复之前请先核对。",
    ),
    "rejected": ("Sorry, I asked for that in a wrong way: {message}", "抱歉，我的请求有误：{message}"),
    "correcting": ("Sorry, that was not right. I will correct it.", "抱歉，刚才的参数不对，我改正一下。"),
    "refused": ("I was not allowed to do that: {message}", "这个操作不被允许：{message}"),
    "failed": ("That did not work: {message}", "没有成功：{message}"),
    "strange": ("The shop gave an answer that I cannot read.", "商城系统的回答我看不懂。"),
    "nothing_to_repeat": ("There is nothing to try again.", "没有需要重试的操作。"),
    # quick replies; each of them is understood when sent back
    "s_search": ("Nike running shoes under 500", "500 以内的 Nike 跑鞋"),
    "s_headphones": ("Show me headphones", "推荐几款耳机"),
    "s_food": ("Take me to the food court", "带我去美食区"),
    "s_store": ("Where is the Nike store?", "Nike 店在哪？"),
    "s_add": ("Add it to the cart", "加入购物车"),
    "s_order": ("Order it", "立即下单"),
    "s_more": ("Continue shopping", "继续逛逛"),
    "s_cart": ("Show my cart", "查看购物车"),
    "s_similar": ("Show similar products", "看看类似的"),
    "s_again": ("Try again", "再试一次"),
    "s_no": ("No, thanks", "不用了"),
    "s_yes_price": ("Order at the new price", "按新价格下单"),
    "s_status": ("Check the order status", "查订单状态"),
    "s_cancel": ("Cancel my order", "取消订单"),
    "s_hours": ("Opening hours of Nike", "Nike 的营业时间"),
    "s_offers": ("Offers at Nike", "Nike 有什么优惠"),
    "s_nth": ("Number {n}", "第{n}个"),
    "s_remove_nth": ("Remove number {n}", "移除第{n}个"),
    "s_search_for": ("Search for {what}", "找{what}"),
}

STATUSES: dict[str, tuple[str, str]] = {
    "placed": ("placed", "已下单"),
    "shipped": ("shipped", "已发货"),
    "delivered": ("delivered", "已送达"),
    "cancelled": ("cancelled", "已取消"),
}
