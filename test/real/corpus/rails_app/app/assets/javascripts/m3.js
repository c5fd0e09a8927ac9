var m3 = 3;
