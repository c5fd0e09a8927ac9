var m5 = 5;
