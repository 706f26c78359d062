// Here would be the shop.
