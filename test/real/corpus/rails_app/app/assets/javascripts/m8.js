var m8 = 8;
