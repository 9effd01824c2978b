-- No number in the name: an ordinary Lua file, and none of our business.
return redis.call('LLEN', KEYS[9])
