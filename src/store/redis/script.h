/* store/redis/script.h: merges an item inside Redis. */
#ifndef WRI_STORE_REDIS_SCRIPT_H
#define WRI_STORE_REDIS_SCRIPT_H

/* A Lua script. KEYS: the item, the counter of changes, the order of changes of this kind.
 * ARGV: a digit for each field (wri_item_field.is), then the name and the value of each field,
 * then program, property and key. Numbers are 16 hexadecimal digits. */
extern const char wri_redis_script[];

#endif
